#include "device/vulkan/capabilities.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <spirv/unified1/spirv.hpp11>

#include "spirv/names.hpp"

namespace crosslane::vulkan {
namespace {

using spv::Capability;

bool any_of(const std::array<bool, 3>& flags) { return flags[0] || flags[1] || flags[2]; }

struct FeatureOfCapability {
  Capability capability;
  bool Features::*feature;
};

constexpr std::array features_of_capabilities = {
    FeatureOfCapability{Capability::Int8, &Features::int8},
    FeatureOfCapability{Capability::Int16, &Features::int16},
    FeatureOfCapability{Capability::Int64, &Features::int64},
    FeatureOfCapability{Capability::Float16, &Features::float16},
    FeatureOfCapability{Capability::Float64, &Features::float64},
    FeatureOfCapability{Capability::StorageBuffer8BitAccess, &Features::storage_buffer8},
    FeatureOfCapability{Capability::UniformAndStorageBuffer8BitAccess, &Features::uniform_buffer8},
    FeatureOfCapability{Capability::StoragePushConstant8, &Features::push_constant8},
    FeatureOfCapability{Capability::StorageBuffer16BitAccess, &Features::storage_buffer16},
    FeatureOfCapability{Capability::StorageUniform16, &Features::uniform_buffer16},
    FeatureOfCapability{Capability::StoragePushConstant16, &Features::push_constant16},
    FeatureOfCapability{Capability::VariablePointersStorageBuffer, &Features::variable_pointers_storage_buffer},
    FeatureOfCapability{Capability::VariablePointers, &Features::variable_pointers},
    FeatureOfCapability{Capability::VulkanMemoryModel, &Features::memory_model},
    FeatureOfCapability{Capability::VulkanMemoryModelDeviceScope, &Features::memory_model_device_scope},
    FeatureOfCapability{Capability::PhysicalStorageBufferAddresses, &Features::buffer_device_address},
    FeatureOfCapability{Capability::DotProduct, &Features::integer_dot_product},
    FeatureOfCapability{Capability::DotProductInputAll, &Features::integer_dot_product},
    FeatureOfCapability{Capability::DotProductInput4x8Bit, &Features::integer_dot_product},
    FeatureOfCapability{Capability::DotProductInput4x8BitPacked, &Features::integer_dot_product},
    FeatureOfCapability{Capability::Int64ImageEXT, &Features::image_int64_atomics},
    FeatureOfCapability{Capability::StorageImageExtendedFormats, &Features::storage_image_extended_formats},
    FeatureOfCapability{Capability::StorageImageReadWithoutFormat, &Features::storage_image_read_without_format},
    FeatureOfCapability{Capability::StorageImageWriteWithoutFormat, &Features::storage_image_write_without_format},
    FeatureOfCapability{Capability::UniformBufferArrayDynamicIndexing, &Features::uniform_buffer_array_dynamic},
    FeatureOfCapability{Capability::StorageBufferArrayDynamicIndexing, &Features::storage_buffer_array_dynamic},
    FeatureOfCapability{Capability::UniformTexelBufferArrayDynamicIndexing,
                        &Features::uniform_texel_buffer_array_dynamic},
    FeatureOfCapability{Capability::StorageTexelBufferArrayDynamicIndexing,
                        &Features::storage_texel_buffer_array_dynamic},
    FeatureOfCapability{Capability::UniformBufferArrayNonUniformIndexing, &Features::uniform_buffer_array_non_uniform},
    FeatureOfCapability{Capability::StorageBufferArrayNonUniformIndexing, &Features::storage_buffer_array_non_uniform},
    FeatureOfCapability{Capability::UniformTexelBufferArrayNonUniformIndexing,
                        &Features::uniform_texel_buffer_array_non_uniform},
    FeatureOfCapability{Capability::StorageTexelBufferArrayNonUniformIndexing,
                        &Features::storage_texel_buffer_array_non_uniform},
    FeatureOfCapability{Capability::ImageCubeArray, &Features::image_cube_array},
    FeatureOfCapability{Capability::SampledCubeArray, &Features::image_cube_array},
    FeatureOfCapability{Capability::ImageGatherExtended, &Features::image_gather_extended},
    FeatureOfCapability{Capability::SampledImageArrayDynamicIndexing, &Features::sampled_image_array_dynamic},
    FeatureOfCapability{Capability::StorageImageArrayDynamicIndexing, &Features::storage_image_array_dynamic},
    FeatureOfCapability{Capability::SampledImageArrayNonUniformIndexing, &Features::sampled_image_array_non_uniform},
    FeatureOfCapability{Capability::StorageImageArrayNonUniformIndexing, &Features::storage_image_array_non_uniform},
};

struct WaveOperationOfCapability {
  Capability capability;
  VkSubgroupFeatureFlagBits operation;
};

constexpr std::array wave_operations_of_capabilities = {
    WaveOperationOfCapability{Capability::GroupNonUniform, VK_SUBGROUP_FEATURE_BASIC_BIT},
    WaveOperationOfCapability{Capability::GroupNonUniformVote, VK_SUBGROUP_FEATURE_VOTE_BIT},
    WaveOperationOfCapability{Capability::GroupNonUniformArithmetic, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT},
    WaveOperationOfCapability{Capability::GroupNonUniformBallot, VK_SUBGROUP_FEATURE_BALLOT_BIT},
    WaveOperationOfCapability{Capability::GroupNonUniformShuffle, VK_SUBGROUP_FEATURE_SHUFFLE_BIT},
    WaveOperationOfCapability{Capability::GroupNonUniformShuffleRelative, VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT},
    WaveOperationOfCapability{Capability::GroupNonUniformClustered, VK_SUBGROUP_FEATURE_CLUSTERED_BIT},
    WaveOperationOfCapability{Capability::GroupNonUniformQuad, VK_SUBGROUP_FEATURE_QUAD_BIT},
};

// Extensions of SPIR-V that every Vulkan 1.2 device takes; what they bring is guarded by capabilities.
constexpr std::array<std::string_view, 12> extensions_of_vulkan12 = {
    "SPV_KHR_16bit_storage",
    "SPV_KHR_8bit_storage",
    "SPV_KHR_device_group",
    "SPV_KHR_float_controls",
    "SPV_KHR_multiview",
    "SPV_KHR_no_integer_wrap_decoration",
    "SPV_KHR_physical_storage_buffer",
    "SPV_KHR_storage_buffer_storage_class",
    "SPV_KHR_variable_pointers",
    "SPV_KHR_vulkan_memory_model",
    "SPV_EXT_descriptor_indexing",
    "SPV_KHR_shader_draw_parameters",
};

// Likewise from Vulkan 1.3 on.
constexpr std::array<std::string_view, 3> extensions_of_vulkan13 = {
    "SPV_KHR_integer_dot_product", "SPV_KHR_terminate_invocation", "SPV_EXT_demote_to_helper_invocation"};

bool allows_extension(const Description& device, std::string_view extension) {
  const auto in = [extension](const auto& list) { return std::ranges::find(list, extension) != list.end(); };
  if (in(extensions_of_vulkan12)) {
    return true;
  }
  if (extension == "SPV_KHR_non_semantic_info") {
    return device.non_semantic_info;
  }
  if (extension == "SPV_KHR_shader_clock") {
    return device.features.wave_clock || device.features.device_clock;
  }
  if (extension == "SPV_KHR_maximal_reconvergence") {
    return device.features.maximal_reconvergence;
  }
  if (extension == "SPV_EXT_shader_image_int64") {
    return device.features.image_int64_atomics;
  }
  if (extension == "SPV_NV_shader_subgroup_partitioned") {
    return device.partitioned;
  }
  return device.api_version >= VK_API_VERSION_1_3 && in(extensions_of_vulkan13);
}

// Modes that choose the behaviour of floats name a width; drivers may offer the one and not the other.
bool allows_mode(const Description& device, const spirv::ExecutionMode& mode) {
  const auto controls = device.float_controls;
  const auto of_width = [&mode](const std::array<bool, 3>& flags) {
    const auto width = mode.operands.empty() ? 0 : mode.operands[0];
    return width == 16 ? flags[0] : width == 32 ? flags[1] : width == 64 && flags[2];
  };
  switch (static_cast<spv::ExecutionMode>(mode.mode)) {
    case spv::ExecutionMode::DenormPreserve:
      return of_width(controls.denormals_preserved);
    case spv::ExecutionMode::DenormFlushToZero:
      return of_width(controls.denormals_flushed);
    case spv::ExecutionMode::SignedZeroInfNanPreserve:
      return of_width(controls.special_values_preserved);
    case spv::ExecutionMode::RoundingModeRTE:
      return of_width(controls.rounds_to_even);
    case spv::ExecutionMode::RoundingModeRTZ:
      return of_width(controls.rounds_to_zero);
    case spv::ExecutionMode::LocalSizeId:
      return device.features.maintenance4;
    case spv::ExecutionMode::MaximallyReconvergesKHR:
      return device.features.maximal_reconvergence;
    default:
      return true;  // guarded by a capability, if it needs one
  }
}

}  // namespace

bool allows_capability(const Description& device, std::uint32_t number) {
  const auto capability = static_cast<Capability>(number);
  const auto* const feature = std::ranges::find(features_of_capabilities, capability, &FeatureOfCapability::capability);
  if (feature != features_of_capabilities.end()) {
    return device.features.*(feature->feature);
  }
  const auto* const operation =
      std::ranges::find(wave_operations_of_capabilities, capability, &WaveOperationOfCapability::capability);
  if (operation != wave_operations_of_capabilities.end()) {
    return (device.wave_operations & static_cast<VkSubgroupFeatureFlags>(operation->operation)) != 0;
  }
  switch (capability) {
    case Capability::Matrix:
    case Capability::Shader:
    case Capability::Image1D:
    case Capability::Sampled1D:
    case Capability::ImageQuery:
    case Capability::SampledBuffer:
    case Capability::ImageBuffer:
    case Capability::ShaderNonUniform:  // what may be indexed so has capabilities of its own
      return true;
    case Capability::Int64Atomics:
      return device.features.buffer_int64_atomics || device.features.groupshared_int64_atomics;
    case Capability::GroupNonUniformPartitionedNV:
      return device.partitioned;
    case Capability::ShaderClockKHR:
      return device.features.wave_clock || device.features.device_clock;
    case Capability::DenormPreserve:
      return any_of(device.float_controls.denormals_preserved);
    case Capability::DenormFlushToZero:
      return any_of(device.float_controls.denormals_flushed);
    case Capability::SignedZeroInfNanPreserve:
      return any_of(device.float_controls.special_values_preserved);
    case Capability::RoundingModeRTE:
      return any_of(device.float_controls.rounds_to_even);
    case Capability::RoundingModeRTZ:
      return any_of(device.float_controls.rounds_to_zero);
    default:
      return false;
  }
}

std::vector<std::string> missing_on(const Description& device, const spirv::Reflection& shader) {
  std::vector<std::string> missing;
  for (const auto capability : shader.capabilities) {
    if (!allows_capability(device, capability)) {
      missing.push_back(fmt::format("capability {}", spirv::capability_name(capability)));
    }
  }
  for (const auto& extension : shader.extensions) {
    if (!allows_extension(device, extension)) {
      missing.push_back(fmt::format("extension {}", extension));
    }
  }
  for (const auto& mode : shader.execution_modes) {
    if (!allows_mode(device, mode)) {
      const auto width = mode.operands.size() == 1 ? fmt::format(" {}", mode.operands[0]) : std::string();
      missing.push_back(fmt::format("execution mode {}{}", spirv::execution_mode_name(mode.mode), width));
    }
  }
  return missing;
}

}  // namespace crosslane::vulkan
