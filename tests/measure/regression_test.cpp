#include "measure/regression.hpp"

#include <gtest/gtest.h>

namespace crosslane::measure {
namespace {

TEST(CompareTimes, FindsARegressionBeyondIntervalsAndTolerance) {
  const Estimate before{1.0, {0.99, 1.01}};
  EXPECT_TRUE(compare_times("x", before, {1.10, {1.09, 1.11}}, 0.05).regression);
  EXPECT_FALSE(compare_times("x", before, {1.06, {1.05, 1.07}}, 0.05).regression) << "1.05 / 1.01 is below 1.05";
  EXPECT_FALSE(compare_times("x", before, {1.30, {1.00, 1.60}}, 0.05).regression) << "it may as well be the same";
  EXPECT_FALSE(compare_times("x", before, {0.50, {0.49, 0.51}}, 0.05).regression) << "faster";
  EXPECT_TRUE(compare_times("x", before, {1.06, {1.05, 1.07}}, 0.0).regression);
}

TEST(CompareTimes, GivesTheRatioAndItsInterval) {
  const Comparison comparison = compare_times("x", {2.0, {1.0, 4.0}}, {3.0, {2.0, 4.0}}, 0.05);
  EXPECT_EQ(comparison.ratio, 1.5);
  EXPECT_EQ(comparison.interval.low, 0.5);
  EXPECT_EQ(comparison.interval.high, 4.0);
}

TEST(CompareTimes, SaysNothingOfTimesThatAreNone) {
  EXPECT_FALSE(compare_times("x", {}, {1.0, {1.0, 1.0}}, 0.05).regression);
}

}  // namespace
}  // namespace crosslane::measure
