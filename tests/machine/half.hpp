// 16-bit floats, by plain arithmetic.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace crosslane::test {

/// One sign bit, five of the exponent, ten of the fraction.
struct Half {
  std::uint16_t bits;
};

inline double to_double(Half half) {
  const int exponent = (half.bits >> 10U) & 0x1F;
  const int fraction = half.bits & 0x3FF;
  double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return (half.bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

/// The nearest half, of two equally near ones the even one.
inline Half to_half(long double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000U : 0U);
  if (std::isnan(value)) {
    return {static_cast<std::uint16_t>(sign | 0x7E00U)};
  }
  const long double magnitude = std::fabs(value);
  // Halves of one sign rise with their bits; infinity stands for 65536.
  std::uint16_t below = 0;
  for (std::uint16_t bit = 0x4000; bit != 0; bit = static_cast<std::uint16_t>(bit >> 1U)) {
    const auto tried = static_cast<std::uint16_t>(below | bit);
    if (tried < 0x7C00 && static_cast<long double>(to_double({tried})) <= magnitude) {
      below = tried;
    }
  }
  const auto above = static_cast<std::uint16_t>(below + 1U);
  const long double next = above == 0x7C00 ? 65536 : static_cast<long double>(to_double({above}));
  const long double down = magnitude - static_cast<long double>(to_double({below}));
  const long double up = next - magnitude;
  const bool rise = up < down || (up == down && (below & 1U) != 0);
  return {static_cast<std::uint16_t>(sign | (rise ? above : below))};
}

}  // namespace crosslane::test
