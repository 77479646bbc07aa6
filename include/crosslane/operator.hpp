// The operators that reductions and scans combine elements with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "crosslane/scalar_type.hpp"

namespace crosslane {

/// How two elements become one. `minimum` and `maximum` of floats: any NaN gives NaN, and −0 is less than +0.
/// The bit operators are for integers only.
enum class Operator : std::uint8_t { sum, minimum, maximum, bit_and, bit_or, bit_xor };

inline constexpr std::array all_operators = {Operator::sum,     Operator::minimum, Operator::maximum,
                                             Operator::bit_and, Operator::bit_or,  Operator::bit_xor};

/// "sum", "min", "max", "and", "or" or "xor".
constexpr std::string_view name(Operator op) {
  constexpr std::array<std::string_view, 6> names = {"sum", "min", "max", "and", "or", "xor"};
  return names[static_cast<std::size_t>(op)];
}

/// True where `op` is defined for `type`.
constexpr bool is_defined(Operator op, ScalarType type) { return op <= Operator::maximum || !is_float(type); }

}  // namespace crosslane
