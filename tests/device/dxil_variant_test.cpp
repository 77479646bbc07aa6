#include "device/dxil_variant.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "support/expected.hpp"

namespace crosslane {
namespace {

using test::fails;
using test::must;
constexpr auto unsupported = ErrorCode::unsupported;

DeviceInfo device_of(std::array<std::uint32_t, 2> shader_model, std::uint32_t least, std::uint32_t most) {
  DeviceInfo device;
  device.id = "d3d12:0";
  device.name = "Wavy";
  device.shader_model = shader_model;
  device.wave_sizes = {least, most, least};
  return device;
}

std::vector<DxilShader> variants_of(const std::vector<std::uint32_t>& sizes) {
  std::vector<DxilShader> variants(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    variants[i].wave_size = sizes[i];
  }
  return variants;
}

TEST(DxilVariant, LeavesTheChoiceToTheDriverUnlessAskedOtherwise) {
  const auto variants = variants_of({0, 16, 32});
  EXPECT_EQ(must(choose_variant(device_of({6, 6}, 8, 32), variants, {}, "s"))->wave_size, 0U);
  EXPECT_EQ(must(choose_variant(device_of({6, 0}, 8, 8), variants, {}, "s"))->wave_size, 0U);
}

TEST(DxilVariant, TakesTheOneOfTheSizeThatIsAskedFor) {
  const auto variants = variants_of({0, 16, 32, 64});
  const auto device = device_of({6, 7}, 16, 32);
  for (const auto lanes : {16U, 32U}) {
    EXPECT_EQ(must(choose_variant(device, variants, lanes, "s"))->wave_size, lanes);
  }
  EXPECT_TRUE(fails(choose_variant(device, variants, 64, "s"), unsupported, "has waves of 16 to 32 lanes, not 64"));
  EXPECT_TRUE(fails(choose_variant(device, variants, 64, "blur"), unsupported, "\"blur\""));
  EXPECT_TRUE(fails(choose_variant(device, variants, 8, "s"), unsupported, "d3d12:0 (Wavy)"));
}

TEST(DxilVariant, TheOnlySizeNeedsNoVariant) {
  const auto variants = variants_of({0});
  EXPECT_EQ(must(choose_variant(device_of({6, 0}, 8, 8), variants, 8, "s"))->wave_size, 0U);
  EXPECT_TRUE(fails(choose_variant(device_of({6, 0}, 8, 8), variants, 16, "s"), unsupported,
                    "has waves of 8 lanes only, not 16"));
}

TEST(DxilVariant, SaysWhichSizesThereAre) {
  const auto device = device_of({6, 6}, 8, 32);
  EXPECT_TRUE(fails(choose_variant(device, variants_of({0, 8, 32}), 16, "s"), unsupported, "there is one for 8, 32"));
  EXPECT_TRUE(fails(choose_variant(device, variants_of({0}), 16, "s"), unsupported, "leave the wave size out"));
}

TEST(DxilVariant, AskingTakesShaderModel66) {
  const auto variants = variants_of({0, 32});
  EXPECT_TRUE(fails(choose_variant(device_of({6, 5}, 8, 32), variants, 32, "s"), unsupported,
                    "has shader model 6.5, and asking for 32 lanes takes [WaveSize] of 6.6"));
  EXPECT_TRUE(
      fails(choose_variant(device_of({6, 0}, 8, 32), variants_of({16}), {}, "s"), unsupported, "asking for 16 lanes"));
}

TEST(DxilVariant, AShaderThatAsksForAnotherSizeIsRefused) {
  EXPECT_EQ(must(choose_variant(device_of({6, 6}, 32, 64), variants_of({64}), {}, "s"))->wave_size, 64U);
  EXPECT_TRUE(fails(choose_variant(device_of({6, 6}, 8, 32), variants_of({64}), {}, "s"), unsupported,
                    "it asks for waves of 64 lanes with [WaveSize]"));
  EXPECT_TRUE(fails(choose_variant(device_of({6, 6}, 8, 32), {}, {}, "s"), unsupported, "has no DXIL"));
}

}  // namespace
}  // namespace crosslane
