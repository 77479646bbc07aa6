#include "cli/method_output.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crosslane::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// One that ran, one that ran as another, one that did not run.
MethodRuns<PassesOutcome> three_runs() {
  MethodRuns<PassesOutcome> runs;
  runs.outcomes.resize(3);
  runs.outcomes[0].asked = Method::groupshared;
  runs.outcomes[0].ran = Method::groupshared;
  runs.outcomes[0].passes = Passes::several;
  runs.outcomes[0].gpu_time_ms = 0.5;
  runs.outcomes[1].asked = Method::wave_intrinsics;
  runs.outcomes[1].ran = Method::shuffle;
  runs.outcomes[1].passes = Passes::one;
  runs.outcomes[1].note = "no such intrinsic";
  runs.outcomes[2].asked = Method::shuffle;
  runs.outcomes[2].note = "the device lacks it";
  return runs;
}

TEST(MethodOutput, HasARowForEachRun) {
  const std::string text = passes_text(three_runs(), 1'000'000);
  EXPECT_THAT(text, ContainsRegex("groupshared +several +0\\.5000 +2\\.00\n"));
  EXPECT_THAT(text, ContainsRegex("wave_intrinsics +one +- +- +ran as shuffle: no such intrinsic\n"));
  EXPECT_THAT(text, ContainsRegex("shuffle +- +- +- +the device lacks it\n"));
  EXPECT_THAT(text, HasSubstr("\n\nall methods agree\n"));
}

TEST(MethodOutput, SaysWhetherMethodsAgree) {
  auto runs = three_runs();
  runs.agree = false;
  EXPECT_THAT(passes_text(runs, 0), HasSubstr("\n\nthe methods DISAGREE\n"));
  runs.outcomes.resize(1);
  EXPECT_THAT(passes_text(runs, 0), Not(HasSubstr("agree")));
}

TEST(MethodOutput, HasOneShapeInJson) {
  report::Json json;
  add_passes(json, three_runs());
  EXPECT_EQ(json["agree"], true);
  EXPECT_EQ(json["methods"][0].dump(),
            R"({"method":"groupshared","ran":"groupshared","passes":"several","gpu_time_ms":0.5,"note":""})");
  EXPECT_EQ(
      json["methods"][1].dump(),
      R"({"method":"wave_intrinsics","ran":"shuffle","passes":"one","gpu_time_ms":null,"note":"no such intrinsic"})");
  EXPECT_EQ(json["methods"][2].dump(),
            R"({"method":"shuffle","ran":null,"passes":null,"gpu_time_ms":null,"note":"the device lacks it"})");
}

}  // namespace
}  // namespace crosslane::cli
