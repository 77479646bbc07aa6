#include "measure/median.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace crosslane::measure {
namespace {

TEST(Median, IsTheMiddleOfAnOddNumber) { EXPECT_EQ(median({3.0, 1.0, 2.0}), 2.0); }

TEST(Median, IsTheMeanOfTheTwoInTheMiddle) { EXPECT_EQ(median({4.0, 1.0, 3.0, 2.0}), 2.5); }

TEST(Median, OfOneIsItselfAndOfNoneIsZero) {
  EXPECT_EQ(median({7.0}), 7.0);
  EXPECT_EQ(median({}), 0.0);
}

TEST(Median, EqualsTheMiddleOfTheSortedList) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> values(-1.0, 1.0);
  for (std::size_t count = 1; count < 50; ++count) {
    std::vector<double> list(count);
    std::generate(list.begin(), list.end(), [&] { return values(random); });
    std::vector<double> sorted = list;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(median(list), (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0) << count;
  }
}

}  // namespace
}  // namespace crosslane::measure
