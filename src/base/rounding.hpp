// Division and multiples of unsigned sizes, rounded up or down.
#pragma once

#include <cstdint>

namespace crosslane {

/// The quotient, rounded up. `value + divisor` does not overflow.
constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t divisor) {
  return (value + divisor - 1) / divisor;
}

/// The largest multiple that is not above `value`.
constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t multiple) { return value / multiple * multiple; }

/// The smallest multiple that is not below `value`. `value + multiple` does not overflow.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return divide_up(value, multiple) * multiple;
}

}  // namespace crosslane
