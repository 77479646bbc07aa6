// How rounding adds up.
#pragma once

#include <cstdint>

#include "crosslane/scalar_type.hpp"

namespace crosslane {

/// γ(chain) = chain·u / (1 − chain·u) for floats of that type: what so many rounded additions in a chain change at
/// most, as a factor of Σ|x| (N. Higham, Accuracy and Stability of Numerical Algorithms, section 3.1).
constexpr double error_factor(std::uint64_t chain, ScalarType type) {
  const double unit_roundoff = type == ScalarType::f64 ? 0x1p-53 : 0x1p-24;
  const double relative = static_cast<double>(chain) * unit_roundoff;
  return relative / (1 - relative);
}

}  // namespace crosslane
