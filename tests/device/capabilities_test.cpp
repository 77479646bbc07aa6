#include "device/vulkan/capabilities.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crosslane::vulkan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

spirv::Reflection needs(std::vector<std::uint32_t> capabilities, std::vector<std::string> extensions = {},
                        std::vector<spirv::ExecutionMode> modes = {}) {
  spirv::Reflection shader;
  shader.capabilities = std::move(capabilities);
  shader.extensions = std::move(extensions);
  shader.execution_modes = std::move(modes);
  return shader;
}

constexpr std::uint32_t shader_capability = 1;
constexpr std::uint32_t int64 = 11;
constexpr std::uint32_t int64_atomics = 12;
constexpr std::uint32_t shuffle = 65;
constexpr std::uint32_t partitioned = 5297;
constexpr std::uint32_t shader_clock = 5055;

TEST(Capabilities, FeaturesAllowThem) {
  Description device;
  device.api_version = VK_API_VERSION_1_2;
  EXPECT_THAT(missing_on(device, needs({shader_capability})), IsEmpty());
  EXPECT_THAT(missing_on(device, needs({int64, int64_atomics, shader_clock})),
              ElementsAre("capability Int64", "capability Int64Atomics", "capability ShaderClockKHR"));
  device.features.int64 = true;
  device.features.groupshared_int64_atomics = true;
  device.features.device_clock = true;
  EXPECT_THAT(missing_on(device, needs({int64, int64_atomics, shader_clock})), IsEmpty());
}

TEST(Capabilities, WaveOperationsAllowThem) {
  Description device;
  EXPECT_FALSE(allows_capability(device, shuffle));
  device.wave_operations = VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
  EXPECT_TRUE(allows_capability(device, shuffle));
  EXPECT_FALSE(allows_capability(device, partitioned));
  device.partitioned = true;
  EXPECT_TRUE(allows_capability(device, partitioned));
}

TEST(Capabilities, UnknownOnesAreMissing) {
  EXPECT_THAT(missing_on({}, needs({99999})), ElementsAre("capability 99999"));
  EXPECT_THAT(missing_on({}, needs({}, {"SPV_ACME_everything"})), ElementsAre("extension SPV_ACME_everything"));
}

TEST(Capabilities, ExtensionsComeWithVersionsAndFeatures) {
  Description device;
  device.api_version = VK_API_VERSION_1_2;
  const auto terminate = needs({}, {"SPV_KHR_terminate_invocation"});
  EXPECT_THAT(missing_on(device, needs({}, {"SPV_KHR_float_controls", "SPV_KHR_16bit_storage"})), IsEmpty());
  EXPECT_THAT(missing_on(device, terminate), ElementsAre("extension SPV_KHR_terminate_invocation"));
  device.api_version = VK_API_VERSION_1_3;
  EXPECT_THAT(missing_on(device, terminate), IsEmpty());
  const auto of_features = needs({}, {"SPV_KHR_maximal_reconvergence", "SPV_KHR_non_semantic_info",
                                      "SPV_KHR_shader_clock", "SPV_NV_shader_subgroup_partitioned"});
  EXPECT_EQ(missing_on(device, of_features).size(), 4U);
  device.features.maximal_reconvergence = true;
  device.features.wave_clock = true;
  device.partitioned = true;
  device.non_semantic_info = true;
  EXPECT_THAT(missing_on(device, of_features), IsEmpty());
}

TEST(Capabilities, FloatModesNameAWidth) {
  constexpr std::uint32_t denorm_preserve = 4459;
  constexpr std::uint32_t rounding_to_even = 4462;
  Description device;
  device.float_controls.denormals_preserved = {false, true, false};
  device.float_controls.rounds_to_even = {true, false, true};
  EXPECT_THAT(missing_on(device, needs({}, {}, {{denorm_preserve, {32}}})), IsEmpty());
  EXPECT_THAT(missing_on(device, needs({}, {}, {{denorm_preserve, {64}}})),
              ElementsAre("execution mode DenormPreserve 64"));
  EXPECT_THAT(missing_on(device, needs({}, {}, {{denorm_preserve, {}}})), ElementsAre("execution mode DenormPreserve"));
  EXPECT_THAT(missing_on(device, needs({}, {}, {{rounding_to_even, {16}}, {rounding_to_even, {64}}})), IsEmpty());
  EXPECT_THAT(missing_on(device, needs({}, {}, {{rounding_to_even, {32}}})),
              ElementsAre("execution mode RoundingModeRTE 32"));
  EXPECT_TRUE(allows_capability(device, 4464));   // DenormPreserve
  EXPECT_FALSE(allows_capability(device, 4465));  // DenormFlushToZero
}

TEST(Capabilities, OtherModesNeedFeatures) {
  constexpr std::uint32_t local_size_id = 38;
  constexpr std::uint32_t maximally_reconverges = 6023;
  const auto shader = needs({}, {}, {{local_size_id, {1, 2, 3}}, {maximally_reconverges, {}}});
  Description device;
  EXPECT_THAT(missing_on(device, shader),
              ElementsAre("execution mode LocalSizeId", "execution mode MaximallyReconvergesKHR"));
  device.features.maintenance4 = true;
  device.features.maximal_reconvergence = true;
  EXPECT_THAT(missing_on(device, shader), IsEmpty());
}

}  // namespace
}  // namespace crosslane::vulkan
