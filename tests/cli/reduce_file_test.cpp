#include "cli/reduce_file.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace crosslane::cli {
namespace {

MethodOutcome outcome(report::Scalar value, double error_bound = 0.0) {
  MethodOutcome result;
  result.value = value;
  result.error_bound = error_bound;
  return result;
}

TEST(AllAgree, NeedsEqualIntegers) {
  EXPECT_TRUE(all_agree({outcome(7U), outcome(7U), outcome(7U)}, 0.0, false));
  EXPECT_FALSE(all_agree({outcome(7U), outcome(7U), outcome(8U)}, 0.0, false));
  EXPECT_FALSE(all_agree({outcome(8U), outcome(7U), outcome(7U)}, 0.0, false));
}

TEST(AllAgree, AllowsFloatSumsTheErrorOfBoth) {
  const std::vector<MethodOutcome> sums = {outcome(1.0F, 0.01), outcome(1.25F, 0.02)};
  EXPECT_TRUE(all_agree(sums, 10.0, false));
  EXPECT_FALSE(all_agree(sums, 1.0, false));
}

TEST(AllAgree, AllowsNothingWhereTheBitsMustBeTheSame) {
  const std::vector<MethodOutcome> sums = {outcome(1.0F, 0.5), outcome(std::nextafter(1.0F, 2.0F), 0.5)};
  EXPECT_TRUE(all_agree(sums, 1.0, false));
  EXPECT_FALSE(all_agree(sums, 1.0, true));
}

TEST(AllAgree, ComparesInfinitiesAndNans) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(all_agree({outcome(infinity, 0.1), outcome(infinity, 0.1)}, infinity, false));
  EXPECT_TRUE(all_agree({outcome(nan, 0.1), outcome(nan, 0.1)}, nan, false));
  EXPECT_FALSE(all_agree({outcome(nan, 0.1), outcome(1.0F, 0.1)}, nan, false));
}

TEST(AllAgree, PassesOverMethodsThatDidNotRun) {
  EXPECT_TRUE(all_agree({MethodOutcome(), outcome(7U), MethodOutcome(), outcome(7U)}, 0.0, false));
  EXPECT_FALSE(all_agree({MethodOutcome(), outcome(7U), MethodOutcome(), outcome(8U)}, 0.0, false));
  EXPECT_TRUE(all_agree({}, 0.0, false));
}

}  // namespace
}  // namespace crosslane::cli
