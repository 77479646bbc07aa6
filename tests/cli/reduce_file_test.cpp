#include "cli/reduce_file.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace crosslane::cli {
namespace {

ReduceOutcome outcome(report::Scalar value, double error_bound = 0.0) {
  ReduceOutcome result;
  result.value = value;
  result.error_bound = error_bound;
  return result;
}

TEST(ValuesAgree, WhereIntegersAreEqual) {
  EXPECT_TRUE(values_agree(outcome(7U), outcome(7U), 0.0, false));
  EXPECT_FALSE(values_agree(outcome(7U), outcome(8U), 0.0, false));
}

TEST(ValuesAgree, WithTheErrorOfBothFloatSums) {
  const ReduceOutcome first = outcome(1.0F, 0.01);
  const ReduceOutcome other = outcome(1.25F, 0.02);
  EXPECT_TRUE(values_agree(first, other, 10.0, false));
  EXPECT_FALSE(values_agree(first, other, 1.0, false));
}

TEST(ValuesAgree, OnlyWhereTheBitsAreTheSameIfTheyMust) {
  const ReduceOutcome first = outcome(1.0F, 0.5);
  const ReduceOutcome other = outcome(std::nextafter(1.0F, 2.0F), 0.5);
  EXPECT_TRUE(values_agree(first, other, 1.0, false));
  EXPECT_FALSE(values_agree(first, other, 1.0, true));
}

TEST(ValuesAgree, AboutInfinitiesAndNans) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(values_agree(outcome(infinity, 0.1), outcome(infinity, 0.1), infinity, false));
  EXPECT_TRUE(values_agree(outcome(nan, 0.1), outcome(nan, 0.1), nan, false));
  EXPECT_FALSE(values_agree(outcome(nan, 0.1), outcome(1.0F, 0.1), nan, false));
}

}  // namespace
}  // namespace crosslane::cli
