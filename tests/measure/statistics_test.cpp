#include "measure/statistics.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace crosslane::measure {
namespace {

using Draw = std::function<double(std::mt19937_64&)>;

// Times on a device: a floor, and now and then much more.
double draw_time(std::mt19937_64& random) {
  std::gamma_distribution<double> above(2.0, 0.01);
  return 1.0 + above(random);
}
constexpr double median_time = 1.0 + 0.01 * 1.6783469900166605;  // of that gamma distribution

std::vector<double> draw(std::size_t count, std::mt19937_64& random, const Draw& one) {
  std::vector<double> samples(count);
  std::generate(samples.begin(), samples.end(), [&] { return one(random); });
  return samples;
}

double draw_normal(std::mt19937_64& random) { return std::normal_distribution<double>(10.0, 0.3)(random); }

// Of how many runs out of 1000 the interval holds the true median.
int coverage(std::size_t samples, const Draw& one, double truth) {
  std::mt19937_64 random(samples);
  int held = 0;
  for (int run = 0; run < 1000; ++run) {
    held += static_cast<int>(estimate_median(draw(samples, random, one), {.resamples = 400}).interval.contains(truth));
  }
  return held;
}

TEST(EstimateMedian, IntervalsHoldTheTrueMedianAsOftenAsTheySay) {
  // At least 950 is what is meant; three standard deviations of the count are 20.
  for (const std::size_t samples : {11U, 30U, 101U}) {
    const int normal = coverage(samples, draw_normal, 10.0);
    EXPECT_GE(normal, 940) << samples;
    EXPECT_LE(normal, 995) << samples;
    const int skewed = coverage(samples, draw_time, median_time);
    EXPECT_GE(skewed, 940) << samples;
    EXPECT_LE(skewed, 995) << samples;
  }
}

TEST(EstimateMedian, IsNarrowerTheMoreSamplesThereAre) {
  std::mt19937_64 random(1);
  const double few = estimate_median(draw(20, random, draw_normal)).relative_width();
  const double many = estimate_median(draw(2000, random, draw_normal)).relative_width();
  EXPECT_LT(many, few / 5.0);
  EXPECT_GT(many, few / 25.0);
}

TEST(EstimateMedian, OfFewSamplesIsAsWideAsTheyAre) {
  const Estimate estimate = estimate_median(std::vector<double>{3.0, 1.0, 2.0});
  EXPECT_EQ(estimate.median, 2.0);
  EXPECT_EQ(estimate.interval.low, 1.0);
  EXPECT_EQ(estimate.interval.high, 3.0);
  EXPECT_EQ(estimate_median({}).median, 0.0);
}

TEST(EstimateMedian, OfEqualSamplesHasNoWidth) {
  const Estimate estimate = estimate_median(std::vector<double>(20, 4.0));
  EXPECT_EQ(estimate.median, 4.0);
  EXPECT_EQ(estimate.relative_width(), 0.0);
}

TEST(EstimateMedian, IsTheSameForTheSameSamples) {
  std::mt19937_64 random(5);
  const auto samples = draw(50, random, draw_time);
  EXPECT_EQ(estimate_median(samples).interval.low, estimate_median(samples).interval.low);
}

TEST(EstimateRatio, SaysNoDifferenceOfEqualsNineteenTimesInTwenty) {
  std::mt19937_64 random(7);
  int same = 0;
  for (int run = 0; run < 1000; ++run) {
    const auto a = draw(31, random, draw_time);
    const auto b = draw(31, random, draw_time);
    same += static_cast<int>(estimate_ratio(a, b, {.resamples = 400}).interval.contains(1.0));
  }
  EXPECT_GE(same, 950);
  EXPECT_LT(same, 1000) << "an interval that never misses says nothing";
}

TEST(EstimateRatio, FindsFivePercent) {
  std::mt19937_64 random(9);
  for (int run = 0; run < 100; ++run) {
    const auto fast = draw(31, random, draw_time);
    auto slow = draw(31, random, draw_time);
    std::ranges::for_each(slow, [](double& time) { time *= 1.05; });
    const Estimate ratio = estimate_ratio(slow, fast);
    EXPECT_FALSE(ratio.interval.contains(1.0));
    EXPECT_NEAR(ratio.median, 1.05, 0.02);
  }
}

TEST(EstimateRatio, DoesNotSeeWhatSlowsBothInARound) {
  std::mt19937_64 random(11);
  auto a = draw(40, random, draw_time);
  auto b = draw(40, random, draw_time);
  for (std::size_t i = 0; i < a.size(); ++i) {  // the clock falls to a third
    const double factor = 1.0 + 2.0 * static_cast<double>(i) / 40.0;
    a[i] *= 1.05 * factor;
    b[i] *= factor;
  }
  const Estimate ratio = estimate_ratio(a, b);
  EXPECT_NEAR(ratio.median, 1.05, 0.02);
  EXPECT_LT(ratio.relative_width(), 0.04);
}

TEST(Outliers, AreToldByTheirPlaces) {
  std::mt19937_64 random(13);
  auto samples = draw(40, random, draw_normal);
  EXPECT_TRUE(outliers(samples).empty());
  samples[7] = 20.0;
  samples[31] = 1.0;
  EXPECT_EQ(outliers(samples), (std::vector<std::size_t>{7, 31}));
}

TEST(Outliers, ClockStepsAreNone) {
  std::vector<double> samples(20, 1.0);
  samples[3] = 1.001;
  EXPECT_TRUE(outliers(samples).empty());
  samples[3] = 1.1;
  EXPECT_EQ(outliers(samples).size(), 1U);
}

TEST(FindDrift, SeesThatTimesGrow) {
  std::mt19937_64 random(17);
  auto samples = draw(60, random, draw_time);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] *= 1.0 + 0.1 * static_cast<double>(i) / 60.0;
  }
  const Drift drift = find_drift(samples);
  EXPECT_TRUE(drift.significant);
  EXPECT_NEAR(drift.relative, 0.05, 0.015);
}

TEST(FindDrift, IsSilentOfSteadyTimesAndOfFew) {
  std::mt19937_64 random(19);
  int significant = 0;
  for (int run = 0; run < 200; ++run) {
    significant += static_cast<int>(find_drift(draw(60, random, draw_time)).significant);
  }
  EXPECT_LE(significant, 10);
  EXPECT_FALSE(find_drift(std::vector<double>{1.0, 2.0, 3.0}).significant);
}

}  // namespace
}  // namespace crosslane::measure
