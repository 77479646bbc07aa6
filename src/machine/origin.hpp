// Where undefined values come from, and where they matter.
#pragma once

#include <cstdint>

namespace crosslane::machine {

/// Why a value is undefined.
enum class Cause : std::uint8_t {
  none,
  undefined_value,            ///< OpUndef: a variable that no path to here has set
  uninitialized_variable,     ///< of a function or a thread
  uninitialized_groupshared,  ///< groupshared memory that nothing has written
  lane_out_of_range,          ///< a lane that the wave does not have
  lane_inactive,              ///< a lane that does not run the instruction
  outside_of_buffer,
  outside_of_image,       ///< or of a typed buffer
  outside_of_array,       ///< an index beyond an array of fixed size; makes the address undefined
  shift_amount,           ///< of as many bits as the value has, or more
  division_unsigned,      ///< by zero
  division_signed,        ///< by zero, or of the lowest number by −1
  remainder_of_negative,  ///< or by a negative number
  conversion,             ///< of a float to an integer type that cannot hold it
};

/// What an undefined value decides.
enum class Use : std::uint8_t { store, branch, address, atomic };

/// Of one value of one lane: 0 where it is defined, else its cause and the instruction that made it so.
using Origin = std::uint32_t;

constexpr Origin make_origin(Cause cause, std::uint32_t source) { return static_cast<Origin>(cause) << 24U | source; }
constexpr Cause cause_of(Origin origin) { return static_cast<Cause>(origin >> 24U); }
/// Place in Program::sources.
constexpr std::uint32_t source_of(Origin origin) { return origin & 0xFFFFFFU; }

/// Of a byte of groupshared memory.
enum class ByteState : std::uint8_t { defined, never_written, undefined };

}  // namespace crosslane::machine
