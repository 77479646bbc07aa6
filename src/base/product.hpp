// The product of numbers, as of an array's sizes.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <span>

namespace crosslane {

/// 1 for no factors. The product does not overflow.
inline std::uint64_t product(std::span<const std::uint64_t> factors) {
  return std::accumulate(factors.begin(), factors.end(), std::uint64_t{1}, std::multiplies<>());
}

}  // namespace crosslane
