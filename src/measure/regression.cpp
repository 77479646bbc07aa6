#include "measure/regression.hpp"

#include <utility>

namespace crosslane::measure {

Comparison compare_times(std::string what, const Estimate& before, const Estimate& now, double tolerance) {
  Comparison comparison{std::move(what), before, now, 1.0, {1.0, 1.0}, false};
  if (before.median > 0.0 && before.interval.low > 0.0 && before.interval.high > 0.0) {
    comparison.ratio = now.median / before.median;
    comparison.interval = {now.interval.low / before.interval.high, now.interval.high / before.interval.low};
    comparison.regression = comparison.interval.low > 1.0 + tolerance;
  }
  return comparison;
}

}  // namespace crosslane::measure
