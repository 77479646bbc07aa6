#include "report/json.hpp"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace crosslane::report {
namespace {

constexpr std::int64_t largest_exact = std::int64_t{1} << 53;

TEST(JsonExact, KeepsIntegersThatEveryReaderHolds) {
  EXPECT_EQ(exact(largest_exact).dump(), "9007199254740992");
  EXPECT_EQ(exact(-largest_exact).dump(), "-9007199254740992");
  EXPECT_EQ(exact(std::uint64_t{0}).dump(), "0");
}

TEST(JsonExact, QuotesIntegersBeyond) {
  EXPECT_EQ(exact(largest_exact + 1).dump(), "\"9007199254740993\"");
  EXPECT_EQ(exact(-largest_exact - 1).dump(), "\"-9007199254740993\"");
  EXPECT_EQ(exact(std::numeric_limits<std::uint64_t>::max()).dump(), "\"18446744073709551615\"");
  EXPECT_EQ(exact(std::numeric_limits<std::int64_t>::min()).dump(), "\"-9223372036854775808\"");
}

TEST(JsonExact, QuotesWhatIsNoNumber) {
  EXPECT_EQ(exact(std::numeric_limits<double>::quiet_NaN()).dump(), "\"NaN\"");
  EXPECT_EQ(exact(std::numeric_limits<double>::infinity()).dump(), "\"Infinity\"");
  EXPECT_EQ(exact(-std::numeric_limits<double>::infinity()).dump(), "\"-Infinity\"");
}

TEST(JsonExact, WritesFloatsAsTheNumbersTheyAre) {
  EXPECT_EQ(Json::parse(exact(Scalar(0.1F)).dump()).get<double>(), static_cast<double>(0.1F));
  EXPECT_EQ(Json::parse(exact(0.1).dump()).get<double>(), 0.1);
}

TEST(JsonDocument, BeginsWithItsSchemaVersion) {
  Json json = document();
  json["a"] = 1;
  EXPECT_EQ(json.dump(), R"({"schema_version":1,"a":1})");
}

TEST(JsonDump, ReplacesBytesThatAreNoText) {
  Json json = document();
  json["file"] = "a\xFF.npy";
  EXPECT_EQ(Json::parse(dump(json))["file"], "a\xEF\xBF\xBD.npy");
}

TEST(JsonError, HoldsCodeMessageAndReasons) {
  const Json json = error_object({ErrorCode::unsupported, "a: mend", {"because", "of this"}});
  EXPECT_EQ(json.dump(), R"({"code":"unsupported","message":"a: mend","reasons":["because","of this"]})");
}

TEST(JsonDevice, NamesTheDeviceAndItsWaves) {
  DeviceInfo info;
  info.id = "vulkan:0";
  info.name = "some GPU";
  info.kind = DeviceKind::software;
  info.wave_sizes = {.minimum = 4, .maximum = 16, .standard = 8};
  info.features.wave_shuffle = true;
  info.limits.buffer_bytes = std::numeric_limits<std::uint64_t>::max();
  const Json summary = device_summary(info);
  EXPECT_EQ(summary["id"], "vulkan:0");
  EXPECT_EQ(summary["kind"], "software");
  EXPECT_EQ(summary["wave_sizes"].dump(), R"({"minimum":4,"maximum":16,"standard":8})");
  EXPECT_FALSE(summary.contains("features"));
  EXPECT_TRUE(device_details(info)["processors"].is_null()) << "the driver does not tell";
  info.processors = 132;
  const Json details = device_details(info);
  EXPECT_EQ(details["processors"], 132);
  EXPECT_EQ(details["features"]["wave_shuffle"], true);
  EXPECT_EQ(details["features"]["int64"], false);
  EXPECT_EQ(details["limits"]["buffer_bytes"], "18446744073709551615");
}

}  // namespace
}  // namespace crosslane::report
