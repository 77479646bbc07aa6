// The decision as a pure function: every answer, every fallback, and how far measuring settles it.
#include "measure/decision.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/benchmark.hpp"
#include "measure/fake_device.hpp"
#include "support/expected.hpp"

namespace crosslane::measure {
namespace {

using testing::HasSubstr;

DecisionFacts all_well(double low, double median, double high) {
  DecisionFacts facts;
  for (Evidence* const evidence :
       {&facts.wave_size, &facts.registers, &facts.lane_reads, &facts.compiler, &facts.results}) {
    *evidence = {true, "well", {}, ""};
  }
  facts.gain = Estimate{median, {low, high}};
  facts.rounds = 50;
  facts.default_method = "shuffle";
  return facts;
}

const DecisionStep& step(const Decision& decision, const std::string& name) {
  for (const DecisionStep& one : decision.steps) {
    if (one.name == name) {
      return one;
    }
  }
  throw std::runtime_error("no step " + name);
}

TEST(Decide, TakesShufflesWhereTheWholeIntervalIsAtTheThreshold) {
  const Decision decision = decide(all_well(0.20, 0.25, 0.30));
  EXPECT_EQ(decision.answer, Answer::shuffle);
  EXPECT_EQ(step(decision, "gain").passed, true);
  ASSERT_EQ(decision.steps.size(), 6U);
  EXPECT_EQ(decision.steps[0].name, "wave-size");
}

TEST(Decide, TakesGroupsharedWhereItIsBelow) {
  const Decision decision = decide(all_well(0.05, 0.10, 0.1999));
  EXPECT_EQ(decision.answer, Answer::groupshared);
  EXPECT_EQ(step(decision, "gain").passed, false);
}

TEST(Decide, IsAmbiguousWhereTheIntervalStraddles) {
  const Decision decision = decide(all_well(0.16, 0.22, 0.28));
  EXPECT_EQ(decision.answer, Answer::ambiguous);
  EXPECT_EQ(step(decision, "gain").passed, std::nullopt);
  EXPECT_THAT(step(decision, "gain").reason, HasSubstr("about 450 rounds in place of 50"));
  EXPECT_THAT(step(decision, "gain").reason, HasSubstr("'shuffle', the default"));
  EXPECT_THAT(step(decide(all_well(0.1, 0.2, 0.3)), "gain").reason, HasSubstr("no reasonable number"));
}

TEST(Decide, IsAmbiguousWithoutAMeasurement) {
  DecisionFacts facts = all_well(0, 0, 0);
  facts.gain.reset();
  const Decision decision = decide(facts);
  EXPECT_EQ(decision.answer, Answer::ambiguous);
  EXPECT_EQ(step(decision, "gain").found, "not measured");
}

TEST(Decide, FallsBackToGroupsharedWhereAnyStepFails) {
  const std::vector<std::pair<std::string, Evidence DecisionFacts::*>> steps = {
      {"wave-size", &DecisionFacts::wave_size},
      {"registers", &DecisionFacts::registers},
      {"lane-reads", &DecisionFacts::lane_reads},
      {"compiler", &DecisionFacts::compiler},
      {"results", &DecisionFacts::results}};
  for (const auto& [name, evidence] : steps) {
    DecisionFacts facts = all_well(0.5, 0.6, 0.7);
    facts.*evidence = {false, "it is bad", {}, ""};
    const Decision decision = decide(facts);
    EXPECT_EQ(decision.answer, Answer::groupshared) << name;
    EXPECT_EQ(step(decision, name).passed, false);
    EXPECT_EQ(decision.reason, "the step '" + name + "' fails: it is bad");
    EXPECT_EQ(step(decision, "gain").passed, true) << "what was measured is told all the same";

    facts.*evidence = {false, "it is bad", true, "mended by this"};
    EXPECT_EQ(decide(facts).answer, Answer::shuffle) << name;
    EXPECT_EQ(step(decide(facts), name).passed, true);
    EXPECT_THAT(step(decide(facts), name).reason, HasSubstr("mended by this"));

    facts.*evidence = {false, "it is bad", false, "this did not help"};
    EXPECT_EQ(decide(facts).answer, Answer::groupshared) << name;
    EXPECT_THAT(step(decide(facts), name).reason, HasSubstr("this did not help"));

    facts.*evidence = {std::nullopt, "nobody knows", {}, ""};
    EXPECT_EQ(decide(facts).answer, Answer::shuffle) << name << ": what cannot be told decides nothing";
    EXPECT_EQ(step(decide(facts), name).passed, std::nullopt);
    EXPECT_THAT(step(decide(facts), name).reason, HasSubstr("could not be told here"));
  }
}

TEST(Decide, NamesTheFirstStepThatFails) {
  DecisionFacts facts = all_well(0.5, 0.6, 0.7);
  facts.registers = {false, "spills", {}, ""};
  facts.compiler = {false, "old", {}, ""};
  EXPECT_THAT(decide(facts).reason, HasSubstr("registers"));
}

TEST(Decide, UsesTheThresholdGiven) {
  DecisionFacts facts = all_well(0.20, 0.25, 0.30);
  facts.threshold = 0.5;
  EXPECT_EQ(decide(facts).answer, Answer::groupshared);
  facts.threshold = 0.0;
  EXPECT_EQ(decide(facts).answer, Answer::shuffle);
}

// From a device with set times to the answer.
Answer measured_answer(double groupshared_ms, double shuffle_ms, double spread, std::uint32_t seed) {
  test::FakeDevice device;
  const auto slow = std::make_shared<test::FakeTimes>(test::FakeTimes{groupshared_ms, spread});
  const auto fast = std::make_shared<test::FakeTimes>(test::FakeTimes{shuffle_ms, spread});
  slow->random.seed(seed);
  fast->random.seed(seed + 1000);
  BenchmarkOptions options;
  options.bandwidth = false;
  options.rounds.most = 60;
  const Benchmark benchmark = crosslane::test::must(run_benchmark(device, test::fake_workload(slow, fast), options));
  DecisionFacts facts = all_well(0, 0, 0);
  facts.gain = gain_of(benchmark);
  return decide(facts).answer;
}

TEST(Decide, FollowsWhatADeviceTakes) {
  EXPECT_EQ(measured_answer(1.5, 1.0, 0.02, 1), Answer::shuffle);
  EXPECT_EQ(measured_answer(1.1, 1.0, 0.02, 2), Answer::groupshared);
  EXPECT_EQ(measured_answer(0.5, 1.0, 0.02, 3), Answer::groupshared);
}

TEST(Decide, IsSeldomWrongAtTheThresholdItself) {
  int decided = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    decided += static_cast<int>(measured_answer(1.2, 1.0, 0.03, seed) != Answer::ambiguous);
  }
  EXPECT_LE(decided, 12) << "five of a hundred intervals miss the truth";
}

}  // namespace
}  // namespace crosslane::measure
