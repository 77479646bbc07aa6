#include "device/vulkan/features.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>

namespace crosslane::vulkan {
namespace {

// A structure with its type set and all else zero.
template <typename Structure>
Structure structure(VkStructureType type) {
  Structure made{};
  made.sType = type;
  return made;
}

using testing::Contains;
using testing::Not;
using testing::StrEq;

// The structure holds booleans alone, so its bytes are its features.
using Flags = std::array<bool, sizeof(Features)>;

Features from(const Flags& flags) { return std::bit_cast<Features>(flags); }

bool equal(const Features& a, const Features& b) { return std::bit_cast<Flags>(a) == std::bit_cast<Flags>(b); }

Features all_features() {
  Flags flags{};
  flags.fill(true);
  return from(flags);
}

std::set<VkStructureType> structures(FeatureChain& chain) {
  std::set<VkStructureType> found;
  for (const auto* link = static_cast<const VkBaseInStructure*>(chain.head()->pNext); link != nullptr;
       link = link->pNext) {
    found.insert(link->sType);
  }
  return found;
}

TEST(FeatureChain, ReadsBackWhatWasWritten) {
  FeatureChain chain({VK_API_VERSION_1_3, {}});
  EXPECT_TRUE(equal(chain.read(), Features{}));
  chain.write(all_features());
  EXPECT_TRUE(equal(chain.read(), all_features()));
  // One at a time: no two features share a place.
  for (std::size_t place = 0; place < sizeof(Features); ++place) {
    Flags flags{};
    flags.at(place) = true;
    const auto one = from(flags);
    chain.write(one);
    EXPECT_TRUE(equal(chain.read(), one)) << place;
  }
}

TEST(FeatureChain, HoldsOnlyStructuresThatTheDeviceKnows) {
  FeatureChain plain({VK_API_VERSION_1_2, {}});
  EXPECT_EQ(structures(plain), (std::set{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES}));
  FeatureChain with_control({VK_API_VERSION_1_2, {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME}});
  EXPECT_THAT(structures(with_control), Contains(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES));
  FeatureChain of13({VK_API_VERSION_1_3, {maximal_reconvergence_extension}});
  EXPECT_THAT(structures(of13), Contains(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES));
  EXPECT_THAT(structures(of13), Contains(maximal_reconvergence_structure));
}

// What an engine's chain says, in each of the ways to say it.
template <typename Structure>
Features merged(Structure structure) {
  FeatureChain chain(FeatureSupport{});
  VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &structure, {}};
  chain.merge(head);
  return chain.read();
}

TEST(FeatureChain, MergesCoreFeatures) {
  VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, nullptr, {}};
  head.features.shaderInt64 = VK_TRUE;
  FeatureChain chain(FeatureSupport{});
  chain.merge(head);
  EXPECT_TRUE(chain.read().int64);
  EXPECT_FALSE(chain.read().int16);
}

TEST(FeatureChain, MergesTheStructuresOfVersions) {
  auto of11 = structure<VkPhysicalDeviceVulkan11Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  of11.storageBuffer16BitAccess = VK_TRUE;
  EXPECT_TRUE(merged(of11).storage_buffer16);
  auto of12 = structure<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  of12.shaderBufferInt64Atomics = VK_TRUE;
  EXPECT_TRUE(merged(of12).buffer_int64_atomics);
  EXPECT_FALSE(merged(of12).groupshared_int64_atomics);
  auto of13 = structure<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  of13.subgroupSizeControl = VK_TRUE;
  of13.computeFullSubgroups = VK_TRUE;
  of13.maintenance4 = VK_TRUE;
  EXPECT_TRUE(merged(of13).wave_size_control);
  EXPECT_TRUE(merged(of13).full_waves);
  EXPECT_TRUE(merged(of13).maintenance4);
  EXPECT_FALSE(merged(of13).integer_dot_product);
}

TEST(FeatureChain, MergesTheStructuresOfExtensions) {
  auto storage16 =
      structure<VkPhysicalDevice16BitStorageFeatures>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
  storage16.storagePushConstant16 = VK_TRUE;
  EXPECT_TRUE(merged(storage16).push_constant16);
  auto storage8 =
      structure<VkPhysicalDevice8BitStorageFeatures>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES);
  storage8.storageBuffer8BitAccess = VK_TRUE;
  EXPECT_TRUE(merged(storage8).storage_buffer8);
  auto small = structure<VkPhysicalDeviceShaderFloat16Int8Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES);
  small.shaderFloat16 = VK_TRUE;
  EXPECT_TRUE(merged(small).float16);
  auto pointers =
      structure<VkPhysicalDeviceVariablePointersFeatures>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES);
  pointers.variablePointers = VK_TRUE;
  EXPECT_TRUE(merged(pointers).variable_pointers);
  auto atomics = structure<VkPhysicalDeviceShaderAtomicInt64Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES);
  atomics.shaderSharedInt64Atomics = VK_TRUE;
  EXPECT_TRUE(merged(atomics).groupshared_int64_atomics);
  auto extended = structure<VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES);
  extended.shaderSubgroupExtendedTypes = VK_TRUE;
  EXPECT_TRUE(merged(extended).wave_extended_types);
  auto model = structure<VkPhysicalDeviceVulkanMemoryModelFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES);
  model.vulkanMemoryModel = VK_TRUE;
  EXPECT_TRUE(merged(model).memory_model);
  auto address = structure<VkPhysicalDeviceBufferDeviceAddressFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
  address.bufferDeviceAddress = VK_TRUE;
  EXPECT_TRUE(merged(address).buffer_device_address);
  auto scalar = structure<VkPhysicalDeviceScalarBlockLayoutFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES);
  scalar.scalarBlockLayout = VK_TRUE;
  EXPECT_TRUE(merged(scalar).scalar_block_layout);
  auto standard = structure<VkPhysicalDeviceUniformBufferStandardLayoutFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES);
  standard.uniformBufferStandardLayout = VK_TRUE;
  EXPECT_TRUE(merged(standard).uniform_buffer_standard_layout);
  auto control = structure<VkPhysicalDeviceSubgroupSizeControlFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
  control.subgroupSizeControl = VK_TRUE;
  EXPECT_TRUE(merged(control).wave_size_control);
  auto maintenance =
      structure<VkPhysicalDeviceMaintenance4Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES);
  maintenance.maintenance4 = VK_TRUE;
  EXPECT_TRUE(merged(maintenance).maintenance4);
  auto zero = structure<VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES);
  zero.shaderZeroInitializeWorkgroupMemory = VK_TRUE;
  EXPECT_TRUE(merged(zero).zero_initialized_groupshared);
  auto dot = structure<VkPhysicalDeviceShaderIntegerDotProductFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES);
  dot.shaderIntegerDotProduct = VK_TRUE;
  EXPECT_TRUE(merged(dot).integer_dot_product);
  auto clock =
      structure<VkPhysicalDeviceShaderClockFeaturesKHR>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR);
  clock.shaderDeviceClock = VK_TRUE;
  EXPECT_TRUE(merged(clock).device_clock);
  const MaximalReconvergenceFeatures reconvergence{maximal_reconvergence_structure, nullptr, VK_TRUE};
  EXPECT_TRUE(merged(reconvergence).maximal_reconvergence);
}

TEST(FeatureChain, MergesLongChainsAndSkipsWhatItDoesNotKnow) {
  auto of12 = structure<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  of12.shaderFloat16 = VK_TRUE;
  auto other =
      structure<VkPhysicalDeviceRobustness2FeaturesEXT>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT);
  other.pNext = &of12;
  other.nullDescriptor = VK_TRUE;
  EXPECT_TRUE(merged(other).float16);
}

TEST(ExtensionsToEnable, AreThoseOfTheFeaturesThatTheDeviceHas) {
  const FeatureSupport support{VK_API_VERSION_1_2,
                               {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, VK_KHR_SHADER_CLOCK_EXTENSION_NAME,
                                VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME}};
  Features features;
  EXPECT_THAT(extensions_to_enable(features, support),
              testing::ElementsAre(StrEq(VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME)));
  features.wave_size_control = true;
  features.wave_clock = true;
  features.maximal_reconvergence = true;  // not there
  const auto names = extensions_to_enable(features, support);
  EXPECT_THAT(names, Contains(StrEq(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)));
  EXPECT_THAT(names, Contains(StrEq(VK_KHR_SHADER_CLOCK_EXTENSION_NAME)));
  EXPECT_THAT(names, Not(Contains(StrEq(maximal_reconvergence_extension))));
}

TEST(NamesVulkan13, LooksThroughTheChain) {
  EXPECT_FALSE(names_vulkan13(nullptr));
  auto of13 = structure<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  auto of12 = structure<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  of12.pNext = &of13;
  VkPhysicalDeviceFeatures2 head{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &of12, {}};
  EXPECT_TRUE(names_vulkan13(&head));
  of12.pNext = nullptr;
  EXPECT_FALSE(names_vulkan13(&head));
}

}  // namespace
}  // namespace crosslane::vulkan
