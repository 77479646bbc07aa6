#include "cli/decide_remedies.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crosslane::cli {
namespace {

using measure::Evidence;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

DeviceInfo device(WaveSizes sizes, bool chooses) {
  DeviceInfo info;
  info.wave_sizes = sizes;
  info.features.wave_size_control = chooses;
  return info;
}

struct Tried {
  Evidence evidence;
  std::optional<std::uint32_t> fixed;
  std::vector<std::uint32_t> sizes;
};

// A step that passes with waves of `good` lanes alone.
Tried try_on(const DeviceInfo& info, std::uint32_t good, Evidence first = {false, "9 spilled", {}, ""}) {
  Tried tried;
  const auto look = [&](std::uint32_t size) {
    tried.sizes.push_back(size);
    return Evidence{size == good, "none spilled", {}, ""};
  };
  tried.evidence = try_wave_sizes(std::move(first), info, look, "split it", tried.fixed);
  return tried;
}

TEST(TryWaveSizes, FixesTheFirstThatHelps) {
  const Tried tried = try_on(device({8, 32, 16}, true), 32);
  EXPECT_THAT(tried.sizes, ElementsAre(8, 32)) << "16 is the one that failed";
  EXPECT_EQ(tried.fixed, 32U);
  EXPECT_EQ(tried.evidence.passed, false);
  EXPECT_EQ(tried.evidence.mended, true);
  EXPECT_THAT(tried.evidence.remedy,
              AllOf(HasSubstr("fixing waves at 32 lanes helps: none spilled"), HasSubstr("--wave-size 32")));
}

TEST(TryWaveSizes, SaysWhatDidNotHelp) {
  const Tried tried = try_on(device({32, 64, 64}, true), 128);
  EXPECT_THAT(tried.sizes, ElementsAre(32));
  EXPECT_EQ(tried.fixed, std::nullopt);
  EXPECT_EQ(tried.evidence.mended, false);
  EXPECT_EQ(tried.evidence.remedy, "fixing waves at 32 lanes was tried and does not help; split it");
}

TEST(TryWaveSizes, ClaimsNothingWithoutAChoice) {
  for (const DeviceInfo& info : {device({32, 32, 32}, true), device({8, 32, 16}, false)}) {
    const Tried tried = try_on(info, 8);
    EXPECT_TRUE(tried.sizes.empty());
    EXPECT_EQ(tried.evidence.mended, std::nullopt);
    EXPECT_EQ(tried.evidence.remedy, "there is no other wave size to try; split it");
  }
}

TEST(TryWaveSizes, LeavesAloneWhatHasNotFailed) {
  for (const std::optional<bool> passed : {std::optional<bool>(true), std::optional<bool>()}) {
    const Tried tried = try_on(device({8, 32, 16}, true), 8, {passed, "found", {}, ""});
    EXPECT_TRUE(tried.sizes.empty());
    EXPECT_EQ(tried.evidence.passed, passed);
    EXPECT_EQ(tried.evidence.remedy, "");
  }
}

TEST(PromisesAt, CountThoseOfTheSizeAlone) {
  ConformanceReport report;
  report.promises = {{"shuffle-up", "", 16, false, ""}, {"shuffle-up", "", 32, true, ""}};
  EXPECT_EQ(promises_at(report, 16).passed, false);
  EXPECT_THAT(promises_at(report, 16).found, HasSubstr("shuffle-up"));
  EXPECT_EQ(promises_at(report, 32).passed, true);
  EXPECT_EQ(promises_at(report, 64).passed, std::nullopt);
}

}  // namespace
}  // namespace crosslane::cli
