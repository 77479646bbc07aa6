#include "cli/register_use.hpp"

#include <gtest/gtest.h>

namespace crosslane::cli {
namespace {

vulkan::PipelineStatistics statistics(std::vector<vulkan::PipelineStatistic> all, std::uint32_t wave_size = 32) {
  return {wave_size, {256, 1, 1}, std::move(all)};
}

TEST(RegisterUse, ReadsWhatNvidiaSays) {
  const RegisterUse use = register_use(
      "k", "NVIDIA",
      statistics({{"Register Count", "", 40}, {"Local Memory Size", "", 0}, {"Shared Memory Size", "", 64}}));
  EXPECT_EQ(use.registers, 40U);
  EXPECT_EQ(use.spilled, 0U);
  EXPECT_EQ(use.groupshared_bytes, 64U);
  EXPECT_EQ(use.waves_at_a_time, 51.0) << "65536 / 1280";
  EXPECT_EQ(register_use("k", "NVIDIA", statistics({{"Register Count", "", 16}})).waves_at_a_time, 64.0);
}

TEST(RegisterUse, ReadsWhatMesaSaysOfAmd) {
  const RegisterUse use = register_use("k", "AMD",
                                       statistics({{"SGPRs", "", 16},
                                                   {"VGPRs", "", 24},
                                                   {"Spilled SGPRs", "", 0},
                                                   {"Spilled VGPRs", "", 3},
                                                   {"LDS size", "", 1024},
                                                   {"Subgroups per SIMD", "", 16}},
                                                  64));
  EXPECT_EQ(use.registers, 24U);
  EXPECT_EQ(use.spilled, 3U);
  EXPECT_EQ(use.groupshared_bytes, 1024U);
  EXPECT_EQ(use.waves_at_a_time, 16.0);
}

TEST(RegisterEvidence, FailsForSpillsAndCannotTellWithoutAnyWord) {
  const RegisterUse good = register_use("a", "AMD", statistics({{"VGPRs", "", 24}, {"Spilled VGPRs", "", 0}}));
  const RegisterUse bad = register_use("b", "AMD", statistics({{"VGPRs", "", 256}, {"Spilled VGPRs", "", 9}}));
  EXPECT_EQ(register_evidence({good}).passed, true);
  EXPECT_EQ(register_evidence({good, bad}).passed, false);
  EXPECT_EQ(register_evidence({bad, good}).passed, false);
  EXPECT_EQ(register_evidence({}).passed, std::nullopt);
  EXPECT_EQ(register_evidence({register_use("c", "X", statistics({{"Cheese", "", 1}}))}).passed, std::nullopt);
}

}  // namespace
}  // namespace crosslane::cli
