#include "job/requirements.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::job {
namespace {

using crosslane::test::fails;
using crosslane::test::must;
using testing::HasSubstr;
using testing::Optional;

DeviceInfo device() {
  DeviceInfo info;
  info.id = "vulkan:7";
  info.vendor = "NVIDIA";
  info.wave_sizes = {8, 64, 32};
  info.features.wave_size_control = true;
  info.features.float16 = true;
  info.features.storage16 = true;
  return info;
}

Fitness examined(const std::string& lines, const DeviceInfo& info = device(),
                 std::optional<std::uint32_t> wave_size = {}) {
  const auto file = must(TestFile::parse(lines, "a.test"));
  return must(examine(file, "a.test", info, wave_size));
}

TEST(Requirements, NamesFeaturesAsTheSuiteDoes) {
  const auto has = features_of(device(), 32);
  for (const auto* const feature : {"Vulkan", "DXC", "Half", "NV", "SM_6_0", "SM_6_8", "WaveSize_32"}) {
    EXPECT_TRUE(has(feature)) << feature;
  }
  for (const auto* const feature :
       {"DirectX", "Clang", "Int16", "Int64", "Double", "AMD", "SM_6_9", "WaveSize_64", "WaveSize_", "Anything"}) {
    EXPECT_FALSE(has(feature)) << feature;
  }
  auto other = device();
  other.features = {};
  other.features.int16 = other.features.storage16 = other.features.int64 = other.features.float64 = true;
  const auto has_other = features_of(other, 32);
  for (const auto* const feature : {"Int16", "Int64", "Double"}) {
    EXPECT_TRUE(has_other(feature)) << feature;
  }
  EXPECT_FALSE(has_other("Half"));
}

TEST(Requirements, WithoutAnyTheStandardSizeIsTaken) {
  EXPECT_EQ(examined("").skipped, std::nullopt);
  EXPECT_EQ(examined("").wave_size, 32U);
}

TEST(Requirements, ChooseTheWaveSize) {
  EXPECT_EQ(examined("# REQUIRES: WaveSize_64\n").wave_size, 64U);
  EXPECT_EQ(examined("# REQUIRES: WaveSize_16 || WaveSize_8\n").wave_size, 8U);
  EXPECT_EQ(examined("# UNSUPPORTED: !WaveSize_16\n").wave_size, 16U);
  EXPECT_EQ(examined("# UNSUPPORTED: WaveSize_32 && !WaveSize_8\n").wave_size, 8U);
  EXPECT_THAT(examined("# REQUIRES: WaveSize_128\n").skipped,
              Optional(HasSubstr("it requires WaveSize_128, which vulkan:7 lacks")));
  auto fixed = device();
  fixed.features.wave_size_control = false;
  EXPECT_TRUE(examined("# REQUIRES: WaveSize_64\n", fixed).skipped.has_value());
  EXPECT_FALSE(examined("# REQUIRES: WaveSize_32\n", fixed).skipped.has_value());
}

TEST(Requirements, TheSizeThatWasAskedForStands) {
  EXPECT_EQ(examined("", device(), 16).wave_size, 16U);
  EXPECT_TRUE(examined("# REQUIRES: WaveSize_64\n", device(), 16).skipped.has_value());
}

TEST(Requirements, WhatIsMissingOrUnsupportedIsSkipped) {
  EXPECT_THAT(examined("# REQUIRES: Half, Int64\n").skipped, Optional(HasSubstr("it requires Int64")));
  EXPECT_THAT(examined("# UNSUPPORTED: Vulkan\n").skipped, Optional(HasSubstr("it is not for Vulkan")));
  EXPECT_FALSE(examined("# UNSUPPORTED: Clang\n").skipped.has_value());
}

TEST(Requirements, ExpectedFailuresAreTold) {
  EXPECT_EQ(examined("# XFAIL: Clang, Vulkan && NV\n").expected_failure, "Vulkan && NV");
  EXPECT_EQ(examined("# XFAIL: Clang\n").expected_failure, std::nullopt);
}

TEST(Requirements, WhatIsNoConditionIsAnError) {
  for (const std::string keyword : {"REQUIRES", "UNSUPPORTED", "XFAIL"}) {
    const auto file = must(TestFile::parse("\n# " + keyword + ": Half &&\n", "a.test"));
    EXPECT_TRUE(fails(examine(file, "a.test", device(), {}), ErrorCode::invalid_input, "a.test:2: ")) << keyword;
  }
}

}  // namespace
}  // namespace crosslane::job
