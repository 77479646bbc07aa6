// From measured times to the method that an automatic one becomes, on a device whose times are set.
#include "cli/decision_store.hpp"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/method_choice.hpp"
#include "cli/folder_test.hpp"
#include "cli/method_run.hpp"
#include "measure/benchmark.hpp"
#include "measure/fake_device.hpp"
#include "support/expected.hpp"

namespace crosslane::cli {
namespace {

using crosslane::test::must;
using measure::test::FakeDevice;
using measure::test::FakeTimes;
using testing::AllOf;
using testing::HasSubstr;

const std::vector<Method> automatic = {Method::automatic};

class DecisionStore : public test::FolderTest {
 protected:
  DecisionStore() {
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
    device_.info_.features.wave_shuffle = true;
  }

  // Measures two methods that take so long, decides with a threshold of 20 %, and stores that.
  measure::Answer decide(double groupshared_ms, double shuffle_ms) {
    const auto groupshared = std::make_shared<FakeTimes>(FakeTimes{.ms = groupshared_ms, .spread = 0.01});
    const auto shuffle = std::make_shared<FakeTimes>(FakeTimes{.ms = shuffle_ms, .spread = 0.01});
    shuffle->random.seed(2);
    measure::BenchmarkOptions options;
    options.bandwidth = false;
    const auto benchmark = must(run_benchmark(device_, measure::test::fake_workload(groupshared, shuffle), options));
    measure::DecisionFacts facts;
    facts.results = {benchmark.right(), "", {}, ""};
    facts.gain = measure::gain_of(benchmark);
    const measure::Decision decision = measure::decide(facts);
    StoredDecisions stored = stored_decisions().decisions;
    stored.put(stored_form(device_.info(), "reduce", decision));
    must(store_decisions(stored));
    return decision.answer;
  }

  // What Method::automatic becomes.
  Method chosen(const Advice& advice) const {
    return choose_method(device_.info(), {"reduce", Method::automatic, advice.source(), {}, ScalarType::u32}).method;
  }

  Advice advice(bool json = false, const std::vector<Method>& methods = automatic) {
    console_.json = json;
    return {console_, methods, device_.info(), "reduce"};
  }

  FakeDevice device_;
  std::ostringstream out_;
  std::ostringstream err_;
  Console console_{out_, err_, false, false, false};
};

TEST_F(DecisionStore, AutomaticMethodsFollowSetTimes) {
  EXPECT_EQ(chosen(advice()), Method::shuffle) << "the default";
  EXPECT_EQ(advice().note(Method::shuffle), "");
  EXPECT_EQ(decide(1.0, 1.0), measure::Answer::groupshared);
  EXPECT_EQ(chosen(advice()), Method::groupshared);
  EXPECT_THAT(advice().note(Method::groupshared), AllOf(HasSubstr("by the decision of 20"), HasSubstr("--list")));
  EXPECT_EQ(decide(1.5, 1.0), measure::Answer::shuffle);
  EXPECT_EQ(chosen(advice()), Method::shuffle);
  EXPECT_EQ(stored_decisions().decisions.all().size(), 1U) << "in place of the one before";
  EXPECT_NEAR(stored_decisions().decisions.all()[0].gain.value(), 0.5, 0.02);
  EXPECT_THAT(advice().note(Method::groupshared), HasSubstr("cannot be obeyed"));
  EXPECT_EQ(decide(1.2, 1.0), measure::Answer::ambiguous);
  EXPECT_EQ(chosen(advice()), Method::shuffle);
  EXPECT_THAT(advice().note(Method::shuffle), HasSubstr("is ambiguous"));
}

TEST_F(DecisionStore, IsNotReadForMethodsThatWereNamed) {
  std::filesystem::create_directories(decision_file().parent_path());
  std::ofstream(decision_file()) << "damaged";
  EXPECT_EQ(advice(false, {Method::shuffle}).note(Method::shuffle), "");
  EXPECT_EQ(err_.str(), "");
  EXPECT_EQ(advice().note(Method::shuffle), "") << "told on standard error";
  EXPECT_THAT(err_.str(), HasSubstr("decisions are ignored"));
  EXPECT_THAT(advice(true).note(Method::shuffle), HasSubstr("decisions are ignored"));
}

TEST_F(DecisionStore, TellsOfAnotherDriver) {
  decide(1.0, 1.0);
  device_.info_.driver_version = "2.0";
  const Advice now = advice(true);
  EXPECT_EQ(chosen(now), Method::shuffle);
  EXPECT_THAT(now.note(Method::shuffle), AllOf(HasSubstr("made with driver 1.0"), HasSubstr("not used with 2.0")));
}

TEST_F(DecisionStore, AddsTheNoteToTheAutomaticRun) {
  decide(1.0, 1.0);
  MethodRuns<MethodOutcome> runs;
  runs.outcomes.push_back({Method::groupshared, Method::groupshared, {}, "chosen automatically", 0.0});
  add_advice(runs, advice());
  EXPECT_THAT(runs.outcomes[0].note, HasSubstr("chosen automatically; by the decision of"));
}

}  // namespace
}  // namespace crosslane::cli
