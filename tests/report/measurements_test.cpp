#include "report/measurements.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/measured_document.hpp"
#include "report/page.hpp"

namespace crosslane::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Measurements, HoldWhatTheDocumentsSay) {
  const auto all =
      read_measurements(merge_documents({test::bench_document(), test::decide_document()}), "all.json").value();
  ASSERT_EQ(all.devices.size(), 1U);
  EXPECT_EQ(all.devices[0].label, "NVIDIA H200");
  EXPECT_EQ(all.devices[0].driver_version, "580.159.4.0");
  ASSERT_EQ(all.runs.size(), 1U);
  EXPECT_TRUE(all.runs[0].cold);
  EXPECT_EQ(all.runs[0].crosslane, "0.1.0");
  const BenchmarkTimes& reduce = all.runs[0].benchmarks.at(0);
  EXPECT_EQ(reduce.count, 16777216U);
  EXPECT_EQ(reduce.methods.at(1).name, "shuffle");
  EXPECT_EQ(reduce.methods.at(1).time_ms->median, 0.01848);
  EXPECT_FALSE(reduce.methods.at(1).gflops);
  EXPECT_EQ(reduce.memory->samples, 2U);
  EXPECT_EQ(all.runs[0].exchange.at(3).nanoseconds->median, 36.7);
  EXPECT_EQ(all.counts.at(0).bytes, 5000U);
  EXPECT_EQ(all.counts.at(0).instructions, 7000U);
  const DecidedMethod& decided = all.decisions.at(0);
  EXPECT_EQ(decided.device, 0U);
  EXPECT_EQ(decided.steps.at(0).passed, std::nullopt);
  EXPECT_EQ(decided.steps.at(1).passed, false);
  EXPECT_EQ(decided.gain->high, 0.062);
}

TEST(Measurements, KeepDevicesOfOneNameApart) {
  const auto all =
      read_measurements(merge_documents({test::bench_document("GPU", "a"), test::bench_document("GPU", "b"),
                                         test::decide_document("GPU", "b")}),
                        "all.json")
          .value();
  ASSERT_EQ(all.devices.size(), 2U);
  EXPECT_EQ(all.devices[1].label, "GPU (2)");
  EXPECT_EQ(all.runs.at(1).device, 1U);
  EXPECT_EQ(all.decisions.at(0).device, 1U);
}

TEST(Measurements, MergeWhatIsThereTwiceOnce) {
  const Json once = merge_documents({test::bench_document(), test::decide_document()});
  EXPECT_EQ(merge_documents({once, test::bench_document(), test::decide_document(), once}), once);
}

TEST(Measurements, KeepHotAndColdApart) {
  Json hot = test::bench_document();
  hot["cold"] = false;
  const auto all = read_measurements(merge_documents({test::bench_document(), hot}), "all.json").value();
  ASSERT_EQ(all.runs.size(), 2U);
  EXPECT_TRUE(all.runs[0].cold);
  EXPECT_FALSE(all.runs[1].cold);
}

std::string refusal(const Json& document) {
  const auto read = read_measurements(document, "x.json");
  EXPECT_FALSE(read);
  return read ? "" : read.error().message;
}

TEST(Measurements, AreRefusedByTheNameOfWhatIsWrong) {
  Json json = test::bench_document();
  json["runs"][0]["benchmarks"][0]["methods"][1]["time_ms"]["low"] = "fast";
  EXPECT_THAT(refusal(json), AllOf(HasSubstr("x.json: runs[0].benchmarks[0].methods[1].time_ms.low is \"fast\""),
                                   HasSubstr("has to be a number"), HasSubstr("give what 'crosslane bench --json'")));
  json = test::bench_document();
  json["runs"][0].erase("device");
  EXPECT_THAT(refusal(json), HasSubstr("runs[0].device is missing"));
  json = test::bench_document();
  json["schema_version"] = 2;
  EXPECT_THAT(refusal(json), HasSubstr("schema_version is 2, and this Crosslane reads 1"));
  EXPECT_THAT(refusal(document()), HasSubstr("runs and decisions are missing"));
  EXPECT_THAT(refusal(Json(5)), HasSubstr("the document is 5"));
}

// Whatever value is taken out of a document, or made another, is told or not needed; nothing crashes.
TEST(Measurements, SurviveEveryWrongValue) {
  const Json whole = merge_documents({test::bench_document(), test::decide_document()});
  const Json flat = whole.flatten();
  std::size_t refused = 0;
  for (const auto& [path, value] : flat.items()) {
    for (const Json& wrong : {Json(), Json(-1), Json("x"), Json::array({1}), Json::object()}) {
      Json changed = whole;
      changed[Json::json_pointer(path)] = wrong;
      const auto read = read_measurements(changed, "x.json");
      refused += read ? 0 : 1;
      EXPECT_TRUE(!read || !html(page_of(*read)).empty()) << path;
    }
  }
  EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace crosslane::report
