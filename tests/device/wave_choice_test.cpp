#include "device/vulkan/wave_choice.hpp"

#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::vulkan {
namespace {

using test::fails;
using test::must;

using GroupSize = std::array<std::uint32_t, 3>;

Description with_waves(WaveSizes sizes, bool control, bool full = true) {
  Description device;
  device.info.name = "Wavy";
  device.info.wave_sizes = sizes;
  device.info.features.wave_size_control = control;
  device.features.full_waves = full;
  device.waves_per_group = 16;
  return device;
}

TEST(WaveChoice, AsksForTheStandardWhereTheDriverHasAChoice) {
  const auto device = with_waves({8, 32, 32}, true);
  const auto wave = must(choose_wave(device, {}, {64, 1, 1}, "s"));
  EXPECT_EQ(wave.lanes, 32U);
  EXPECT_TRUE(wave.required);
  EXPECT_TRUE(wave.full);
}

TEST(WaveChoice, AsksForNothingWhereThereIsOneSize) {
  const auto device = with_waves({8, 8, 8}, true);
  EXPECT_FALSE(must(choose_wave(device, {}, {64, 1, 1}, "s")).required);
  EXPECT_FALSE(must(choose_wave(device, 8, {64, 1, 1}, "s")).required);
  EXPECT_TRUE(fails(choose_wave(device, 16, {64, 1, 1}, "s"), ErrorCode::unsupported, "waves of 8 lanes only"));
}

TEST(WaveChoice, TakesEverySizeThereIs) {
  const auto device = with_waves({8, 64, 32}, true);
  for (const auto lanes : {8U, 16U, 32U, 64U}) {
    const auto wave = must(choose_wave(device, lanes, {128, 1, 1}, "s"));
    EXPECT_EQ(wave.lanes, lanes);
    EXPECT_TRUE(wave.required);
  }
  for (const auto lanes : {0U, 4U, 24U, 128U}) {
    EXPECT_TRUE(fails(choose_wave(device, lanes, {128, 1, 1}, "s"), ErrorCode::unsupported, "from 8 to 64"));
  }
}

TEST(WaveChoice, RefusesAnotherSizeWithoutControl) {
  const auto device = with_waves({32, 64, 64}, false);
  EXPECT_EQ(must(choose_wave(device, 64, {64, 1, 1}, "s")).lanes, 64U);
  const auto result = choose_wave(device, 32, {64, 1, 1}, "blur");
  EXPECT_TRUE(fails(result, ErrorCode::unsupported, "cannot be asked for another size than its 64"));
  EXPECT_TRUE(fails(result, ErrorCode::unsupported, "blur"));
  EXPECT_TRUE(fails(result, ErrorCode::unsupported, "Wavy"));
}

TEST(WaveChoice, RefusesMoreWavesPerGroupThanThereCanBe) {
  const auto device = with_waves({8, 32, 32}, true);  // 16 waves
  EXPECT_TRUE(fails(choose_wave(device, 8, {256, 1, 1}, "s"), ErrorCode::unsupported, "256 threads"));
  must(choose_wave(device, 8, {64, 2, 1}, "s"));
  EXPECT_FALSE(must(choose_wave(device, {}, {1024, 1, 1}, "s")).required);
}

TEST(WaveChoice, FullWavesNeedRowsOfWholeWaves) {
  const auto device = with_waves({8, 32, 16}, true);
  EXPECT_TRUE(must(choose_wave(device, {}, {16, 3, 1}, "s")).full);
  EXPECT_FALSE(must(choose_wave(device, {}, {8, 2, 1}, "s")).full);
  EXPECT_TRUE(must(choose_wave(device, 8, {8, 2, 1}, "s")).full);
  EXPECT_FALSE(must(choose_wave(with_waves({8, 32, 16}, false), {}, {16, 1, 1}, "s")).full);  // it might be 32
  EXPECT_TRUE(must(choose_wave(with_waves({8, 32, 16}, false), {}, {64, 1, 1}, "s")).full);
  EXPECT_FALSE(must(choose_wave(with_waves({8, 32, 16}, true, false), {}, {64, 1, 1}, "s")).full);
}

}  // namespace
}  // namespace crosslane::vulkan
