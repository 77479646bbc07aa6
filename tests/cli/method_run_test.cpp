#include "cli/method_run.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::cli {
namespace {

using crosslane::test::fails;
using crosslane::test::must;

struct Outcome : MethodOutcome {
  int value = 0;
};

const std::vector<Method> three(all_methods.begin(), all_methods.end());

// Runs the three methods, each with its value; those without one are not supported.
Expected<MethodRuns<Outcome>> run_three(const std::vector<std::optional<int>>& values,
                                        ErrorCode code = ErrorCode::unsupported) {
  std::size_t next = 0;
  bool none_ran = true;
  const auto run = [&](Method method, bool first) -> Expected<Outcome> {
    EXPECT_EQ(first, none_ran);
    const std::optional<int> value = values.at(next++);
    if (!value) {
      return fail(code, "it lacks this");
    }
    none_ran = false;
    Outcome outcome;
    outcome.asked = method;
    outcome.ran = method;
    outcome.value = *value;
    return outcome;
  };
  return run_methods<Outcome>(three, run, [](const Outcome& first, const Outcome& other) -> Expected<bool> {
    return first.value == other.value;
  });
}

TEST(RunMethods, AgreeWhereAllResultsDo) {
  EXPECT_TRUE(must(run_three({7, 7, 7})).agree);
  EXPECT_FALSE(must(run_three({7, 7, 8})).agree);
  EXPECT_FALSE(must(run_three({7, 8, 7})).agree);
  EXPECT_FALSE(must(run_three({8, 7, 7})).agree);
}

TEST(RunMethods, KeepTheirOrder) {
  const auto runs = must(run_three({7, 8, 9}));
  ASSERT_EQ(runs.outcomes.size(), 3U);
  for (std::size_t i = 0; i < three.size(); ++i) {
    EXPECT_EQ(runs.outcomes[i].asked, three[i]);
    EXPECT_EQ(runs.outcomes[i].value, static_cast<int>(i) + 7);
  }
}

TEST(RunMethods, PassOverWhatTheDeviceLacks) {
  const auto runs = must(run_three({std::nullopt, 7, 7}));
  EXPECT_TRUE(runs.agree);
  EXPECT_EQ(runs.outcomes[0].asked, three[0]);
  EXPECT_FALSE(runs.outcomes[0].ran.has_value());
  EXPECT_EQ(runs.outcomes[0].note, "it lacks this");
  EXPECT_EQ(runs.first().asked, three[1]);
  EXPECT_FALSE(must(run_three({std::nullopt, 7, 8})).agree);
  EXPECT_FALSE(must(run_three({7, std::nullopt, 8})).agree);
  EXPECT_TRUE(must(run_three({std::nullopt, std::nullopt, 8})).agree);
}

TEST(RunMethods, FailWhereNoneRuns) {
  EXPECT_TRUE(fails(run_three({{}, {}, {}}), ErrorCode::unsupported, "it lacks this"));
  EXPECT_TRUE(fails(run_three({7, {}, 7}, ErrorCode::device), ErrorCode::device, "it lacks this"));
}

}  // namespace
}  // namespace crosslane::cli
