#include "measure/rounds.hpp"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace crosslane::measure {
namespace {

// Samplers with a clock that they move themselves.
struct Scene {
  double now = 100.0;
  std::string order;
  std::mt19937_64 random{3};
  double spread = 0.0;

  Sample sample(char who, double ms) {
    return [this, who, ms]() -> Expected<double> {
      order += who;
      now += ms / 1e3;
      return ms * (1.0 + spread * std::normal_distribution<double>()(random));
    };
  }
  RoundsOptions options() {
    RoundsOptions options;
    options.seconds = [this] { return now; };
    return options;
  }
};

TEST(TakeTurns, GivesEverybodyATurnInEveryRound) {
  Scene scene;
  const std::vector<Sample> samples = {scene.sample('a', 2.0), scene.sample('b', 3.0)};
  auto options = scene.options();
  options.warm_up = 1;
  options.least = 3;
  const auto rounds = take_turns(samples, options);
  ASSERT_TRUE(rounds);
  EXPECT_EQ(scene.order, "abababab");
  EXPECT_EQ(rounds->times_ms[0], (std::vector<double>{2.0, 2.0, 2.0}));
  EXPECT_EQ(rounds->times_ms[1], (std::vector<double>{3.0, 3.0, 3.0}));
  EXPECT_EQ(rounds->stop, Stop::narrow);
}

TEST(TakeTurns, GoesOnUntilTheIntervalIsNarrow) {
  Scene scene;
  scene.spread = 0.03;
  const std::vector<Sample> samples = {scene.sample('a', 1.0)};
  const auto rounds = take_turns(samples, scene.options());
  ASSERT_TRUE(rounds);
  EXPECT_EQ(rounds->stop, Stop::narrow);
  EXPECT_LE(estimate_median(rounds->times_ms[0]).relative_width(), 0.01);
  EXPECT_GT(rounds->times_ms[0].size(), 40U) << "the interval of 11 such samples is some 4 % wide";
}

TEST(TakeTurns, StopsWhenTheTimeIsUp) {
  Scene scene;
  scene.spread = 0.5;
  const std::vector<Sample> samples = {scene.sample('a', 100.0)};
  const auto rounds = take_turns(samples, scene.options());
  ASSERT_TRUE(rounds);
  EXPECT_EQ(rounds->stop, Stop::time_up);
  EXPECT_NEAR(static_cast<double>(rounds->times_ms[0].size()), 18.0, 1.0) << "two seconds, two rounds to warm up";
}

TEST(TakeTurns, TellsHowMuchOfTheTimeIsUp) {
  Scene scene;
  scene.spread = 0.5;
  const std::vector<Sample> samples = {scene.sample('a', 100.0)};
  auto options = scene.options();
  options.warm_up = 0;
  options.most_seconds = 2.0;
  std::vector<double> told;
  options.progress = [&](double fraction) { told.push_back(fraction); };
  const auto rounds = take_turns(samples, options);
  ASSERT_TRUE(rounds);
  ASSERT_EQ(told.size(), rounds->times_ms[0].size());
  EXPECT_NEAR(told.front(), 0.05, 1e-9);
  EXPECT_NEAR(told.at(9), 0.5, 1e-9);
  EXPECT_EQ(told.back(), 1.0);
}

TEST(TakeTurns, TakesTheLeastRoundsHoweverLongTheyLast) {
  Scene scene;
  scene.spread = 0.5;
  const std::vector<Sample> samples = {scene.sample('a', 10000.0)};
  const auto rounds = take_turns(samples, scene.options());
  ASSERT_TRUE(rounds);
  EXPECT_EQ(rounds->stop, Stop::time_up);
  EXPECT_EQ(rounds->times_ms[0].size(), 11U);
}

TEST(TakeTurns, GoesOnForTheLeastTime) {
  Scene scene;
  const std::vector<Sample> samples = {scene.sample('a', 10.0)};
  auto options = scene.options();
  options.least_seconds = 1.0;
  const auto rounds = take_turns(samples, options);
  ASSERT_TRUE(rounds);
  EXPECT_EQ(rounds->stop, Stop::narrow);
  EXPECT_GE(rounds->times_ms[0].size(), 98U);
  EXPECT_LE(rounds->times_ms[0].size(), 110U);
}

TEST(TakeTurns, StopsAfterTheMostRounds) {
  Scene scene;
  scene.spread = 0.5;
  const std::vector<Sample> samples = {scene.sample('a', 0.001)};
  auto options = scene.options();
  options.most = 30;
  const auto rounds = take_turns(samples, options);
  ASSERT_TRUE(rounds);
  EXPECT_EQ(rounds->stop, Stop::most_rounds);
  EXPECT_EQ(rounds->times_ms[0].size(), 30U);
}

TEST(TakeTurns, PassesOnErrors) {
  const std::vector<Sample> samples = {[]() -> Expected<double> { return fail(ErrorCode::device, "lost"); }};
  const auto rounds = take_turns(samples);
  ASSERT_FALSE(rounds);
  EXPECT_EQ(rounds.error().message, "lost");
}

TEST(RoundsToSettle, GrowWithTheSquareOfWhatIsMissing) {
  EXPECT_NEAR(rounds_to_settle({0.22, {0.16, 0.28}}, 0.20), 9.0, 1e-9);
  EXPECT_EQ(rounds_to_settle({0.40, {0.35, 0.45}}, 0.20), 1.0);
  EXPECT_TRUE(std::isinf(rounds_to_settle({0.20, {0.1, 0.3}}, 0.20)));
}

}  // namespace
}  // namespace crosslane::measure
