// Operations that follow undefined values: each runs before the operation that it belongs to and gives the rows of its
// result their origins. An origin belongs to a whole scalar of one lane. Programs have them only where they were made
// so (DecodeOptions::undefined_values).
#pragma once

#include <cstdint>

#include "machine/element.hpp"
#include "machine/memory.hpp"
#include "machine/observer.hpp"
#include "machine/op.hpp"

namespace crosslane::machine {

/// How the result's definedness follows from that of the operands.
enum class PoisonKind : std::uint8_t {
  any,               ///< undefined where an operand is
  zero_absorbs,      ///< but for operands that are 0: and, multiplication of integers
  ones_absorb,       ///< but for operands that are all ones: or
  select,            ///< a chooses b or c
  shift,             ///< undefined as well where b has too many bits
  divide_unsigned,   ///< and where b is 0
  divide_signed,     ///< and where the quotient does not fit
  remainder_signed,  ///< and where a or b is negative
  to_unsigned,       ///< and where the float a fits no integer of the result's size
  to_signed,
};

struct PoisonRule {
  PoisonKind kind = PoisonKind::any;
  Element element = Element::int32;  ///< of the operands
  std::uint32_t result_bytes = 4;    ///< of conversions
};

/// dst = by the rule of a, b, c, d, a row each. Conversions: imm bytes of the result.
Handler poison_handler(const PoisonRule& rule);
/// dst = a, b, or an index b that is not below imm.
Handler poison_index_handler();
/// Rows in `count` bytes of registers: dst = a.
Handler poison_copy_handler();
/// dst = a in active lanes: `count` rows of imm bytes per lane.
Handler poison_masked_copy_handler();
/// dst = the cause `aux` (0: defined): `count` rows of imm bytes per lane.
Handler poison_fill_handler();
/// dst (`aux` rows of imm bytes per lane) = any of a's `count` rows of `extra` bytes, and of b; in the same lane.
Handler poison_join_handler();
/// dst (`aux` rows of imm bytes) = any of a's `count` rows of `extra` bytes in any active lane.
Handler poison_vote_handler();
/// dst = a of the lane b, `count` rows of imm bytes; undefined where that lane is none or not active.
Handler poison_shuffle_handler();
/// dst = a of the first active lane, `count` rows of imm bytes.
Handler poison_broadcast_first_handler();
/// dst = of a's `count` rows of `extra` bytes those that the group operation imm combines for a lane; aux the cluster
/// size, b the ballots of partitions.
Handler poison_arithmetic_handler();
/// The active lanes' a, `count` rows of imm bytes, decide something.
Handler poison_use_handler(Use use);
/// Operands of a load, store or atomic, count a place in Program::accesses.
Handler poison_access_handler(AddressMode mode);
/// Operands of load_private_handler and store_private_handler.
Handler poison_load_private_handler(std::uint32_t slot, std::uint32_t bytes);
Handler poison_store_private_handler(std::uint32_t slot, std::uint32_t bytes);

}  // namespace crosslane::machine
