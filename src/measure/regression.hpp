// Whether something has become slower since it was measured before.
#pragma once

#include <string>
#include <vector>

#include "measure/statistics.hpp"

namespace crosslane::measure {

/// A time and what it was, of the same work on the same device.
struct Comparison {
  std::string what;  ///< "reduce, sum of u32, shuffle"
  Estimate before;   ///< milliseconds
  Estimate now;
  double ratio = 1.0;      ///< now / before, of the medians
  Interval interval = {};  ///< of the ratio: the ends of both intervals against each other
  bool regression = false;
};

/// A regression is slower by more than `tolerance` (0.05: 5 %) whatever of both intervals is true: two runs differ by
/// what neither knows of, as the clock.
Comparison compare_times(std::string what, const Estimate& before, const Estimate& now, double tolerance);

}  // namespace crosslane::measure
