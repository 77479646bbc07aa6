#include "device/vulkan/features.hpp"

#include <algorithm>
#include <string_view>

namespace crosslane::vulkan {
namespace {

template <typename Structure>
const Structure& as(const VkBaseInStructure* structure) {
  return *reinterpret_cast<const Structure*>(structure);  // NOLINT: how Vulkan types its chains
}

}  // namespace

bool FeatureSupport::has(std::string_view extension) const {
  return std::ranges::find(extensions, extension) != extensions.end();
}

bool FeatureSupport::has(std::uint32_t version, std::string_view extension) const {
  return api_version >= version || has(extension);
}

FeatureChain::FeatureChain(const FeatureSupport& support) {
  void** next = &core_.pNext;
  const auto link = [&next](auto& structure, VkStructureType type, bool known) {
    structure.sType = type;
    structure.pNext = nullptr;
    if (known) {
      *next = &structure;
      next = &structure.pNext;
    }
  };
  core_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  link(vulkan11_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, true);
  link(vulkan12_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, true);
  link(size_control_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
       support.has(VK_API_VERSION_1_3, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME));
  link(maintenance4_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
       support.has(VK_API_VERSION_1_3, VK_KHR_MAINTENANCE_4_EXTENSION_NAME));
  link(zero_initialize_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES,
       support.has(VK_API_VERSION_1_3, VK_KHR_ZERO_INITIALIZE_WORKGROUP_MEMORY_EXTENSION_NAME));
  link(dot_product_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
       support.has(VK_API_VERSION_1_3, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME));
  link(clock_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR,
       support.has(VK_KHR_SHADER_CLOCK_EXTENSION_NAME));
  link(executables_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
       support.has(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME));
  link(reconvergence_, maximal_reconvergence_structure, support.has(maximal_reconvergence_extension));
  link(image_atomics_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT,
       support.has(VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME));
}

// The one list of where each feature lives; reading and writing a chain both go through it.
template <typename Chain, typename FeatureSet, typename Visit>
void FeatureChain::for_each(Chain& chain, FeatureSet& features, Visit visit) {
  visit(features.int16, chain.core_.features.shaderInt16);
  visit(features.int64, chain.core_.features.shaderInt64);
  visit(features.float64, chain.core_.features.shaderFloat64);
  visit(features.storage_buffer16, chain.vulkan11_.storageBuffer16BitAccess);
  visit(features.uniform_buffer16, chain.vulkan11_.uniformAndStorageBuffer16BitAccess);
  visit(features.push_constant16, chain.vulkan11_.storagePushConstant16);
  visit(features.variable_pointers_storage_buffer, chain.vulkan11_.variablePointersStorageBuffer);
  visit(features.variable_pointers, chain.vulkan11_.variablePointers);
  visit(features.int8, chain.vulkan12_.shaderInt8);
  visit(features.float16, chain.vulkan12_.shaderFloat16);
  visit(features.storage_buffer8, chain.vulkan12_.storageBuffer8BitAccess);
  visit(features.uniform_buffer8, chain.vulkan12_.uniformAndStorageBuffer8BitAccess);
  visit(features.push_constant8, chain.vulkan12_.storagePushConstant8);
  visit(features.buffer_int64_atomics, chain.vulkan12_.shaderBufferInt64Atomics);
  visit(features.groupshared_int64_atomics, chain.vulkan12_.shaderSharedInt64Atomics);
  visit(features.wave_extended_types, chain.vulkan12_.shaderSubgroupExtendedTypes);
  visit(features.memory_model, chain.vulkan12_.vulkanMemoryModel);
  visit(features.memory_model_device_scope, chain.vulkan12_.vulkanMemoryModelDeviceScope);
  visit(features.buffer_device_address, chain.vulkan12_.bufferDeviceAddress);
  visit(features.scalar_block_layout, chain.vulkan12_.scalarBlockLayout);
  visit(features.uniform_buffer_standard_layout, chain.vulkan12_.uniformBufferStandardLayout);
  visit(features.wave_size_control, chain.size_control_.subgroupSizeControl);
  visit(features.full_waves, chain.size_control_.computeFullSubgroups);
  visit(features.maintenance4, chain.maintenance4_.maintenance4);
  visit(features.zero_initialized_groupshared, chain.zero_initialize_.shaderZeroInitializeWorkgroupMemory);
  visit(features.integer_dot_product, chain.dot_product_.shaderIntegerDotProduct);
  visit(features.wave_clock, chain.clock_.shaderSubgroupClock);
  visit(features.device_clock, chain.clock_.shaderDeviceClock);
  visit(features.pipeline_executable_info, chain.executables_.pipelineExecutableInfo);
  visit(features.maximal_reconvergence, chain.reconvergence_.shaderMaximalReconvergence);
  visit(features.image_int64_atomics, chain.image_atomics_.shaderImageInt64Atomics);
  auto& core = chain.core_.features;
  visit(features.storage_image_extended_formats, core.shaderStorageImageExtendedFormats);
  visit(features.storage_image_read_without_format, core.shaderStorageImageReadWithoutFormat);
  visit(features.storage_image_write_without_format, core.shaderStorageImageWriteWithoutFormat);
  visit(features.uniform_buffer_array_dynamic, core.shaderUniformBufferArrayDynamicIndexing);
  visit(features.storage_buffer_array_dynamic, core.shaderStorageBufferArrayDynamicIndexing);
  auto& indexing = chain.vulkan12_;
  visit(features.uniform_texel_buffer_array_dynamic, indexing.shaderUniformTexelBufferArrayDynamicIndexing);
  visit(features.storage_texel_buffer_array_dynamic, indexing.shaderStorageTexelBufferArrayDynamicIndexing);
  visit(features.uniform_buffer_array_non_uniform, indexing.shaderUniformBufferArrayNonUniformIndexing);
  visit(features.storage_buffer_array_non_uniform, indexing.shaderStorageBufferArrayNonUniformIndexing);
  visit(features.uniform_texel_buffer_array_non_uniform, indexing.shaderUniformTexelBufferArrayNonUniformIndexing);
  visit(features.storage_texel_buffer_array_non_uniform, indexing.shaderStorageTexelBufferArrayNonUniformIndexing);
  visit(features.image_cube_array, core.imageCubeArray);
  visit(features.image_gather_extended, core.shaderImageGatherExtended);
  visit(features.sampled_image_array_dynamic, core.shaderSampledImageArrayDynamicIndexing);
  visit(features.storage_image_array_dynamic, core.shaderStorageImageArrayDynamicIndexing);
  visit(features.sampled_image_array_non_uniform, indexing.shaderSampledImageArrayNonUniformIndexing);
  visit(features.storage_image_array_non_uniform, indexing.shaderStorageImageArrayNonUniformIndexing);
}

Features FeatureChain::read() const {
  Features features;
  for_each(*this, features, [](bool& feature, VkBool32 field) { feature = field == VK_TRUE; });
  return features;
}

void FeatureChain::write(const Features& features) {
  for_each(*this, features, [](bool feature, VkBool32& field) { field = feature ? VK_TRUE : VK_FALSE; });
}

void FeatureChain::merge(const VkPhysicalDeviceFeatures2& enabled) {
  core_.features = enabled.features;
  for (const auto* structure = static_cast<const VkBaseInStructure*>(enabled.pNext); structure != nullptr;
       structure = structure->pNext) {
    merge_structure(structure);
  }
}

// NOLINTNEXTLINE(readability-function-size): one case per structure that can bring a feature
void FeatureChain::merge_structure(const VkBaseInStructure* structure) {
  // The links of this chain stay as they are; only the features are taken over.
  const auto take_whole = [structure](auto& mine) {
    auto* const next = mine.pNext;
    mine = as<std::remove_reference_t<decltype(mine)>>(structure);
    mine.pNext = next;
  };
  switch (static_cast<std::int32_t>(structure->sType)) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
      take_whole(vulkan11_);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
      take_whole(vulkan12_);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES: {
      const auto& theirs = as<VkPhysicalDeviceVulkan13Features>(structure);
      size_control_.subgroupSizeControl = theirs.subgroupSizeControl;
      size_control_.computeFullSubgroups = theirs.computeFullSubgroups;
      maintenance4_.maintenance4 = theirs.maintenance4;
      zero_initialize_.shaderZeroInitializeWorkgroupMemory = theirs.shaderZeroInitializeWorkgroupMemory;
      dot_product_.shaderIntegerDotProduct = theirs.shaderIntegerDotProduct;
      break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES:
      take_whole(size_control_);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES:
      take_whole(maintenance4_);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES:
      take_whole(zero_initialize_);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES:
      take_whole(dot_product_);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR:
      take_whole(clock_);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR:
      take_whole(executables_);
      break;
    case maximal_reconvergence_structure:
      take_whole(reconvergence_);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT:
      take_whole(image_atomics_);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES: {
      const auto& theirs = as<VkPhysicalDeviceDescriptorIndexingFeatures>(structure);
      vulkan12_.shaderUniformTexelBufferArrayDynamicIndexing = theirs.shaderUniformTexelBufferArrayDynamicIndexing;
      vulkan12_.shaderStorageTexelBufferArrayDynamicIndexing = theirs.shaderStorageTexelBufferArrayDynamicIndexing;
      vulkan12_.shaderUniformBufferArrayNonUniformIndexing = theirs.shaderUniformBufferArrayNonUniformIndexing;
      vulkan12_.shaderStorageBufferArrayNonUniformIndexing = theirs.shaderStorageBufferArrayNonUniformIndexing;
      vulkan12_.shaderUniformTexelBufferArrayNonUniformIndexing =
          theirs.shaderUniformTexelBufferArrayNonUniformIndexing;
      vulkan12_.shaderStorageTexelBufferArrayNonUniformIndexing =
          theirs.shaderStorageTexelBufferArrayNonUniformIndexing;
      vulkan12_.shaderSampledImageArrayNonUniformIndexing = theirs.shaderSampledImageArrayNonUniformIndexing;
      vulkan12_.shaderStorageImageArrayNonUniformIndexing = theirs.shaderStorageImageArrayNonUniformIndexing;
      break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES: {
      const auto& theirs = as<VkPhysicalDevice16BitStorageFeatures>(structure);
      vulkan11_.storageBuffer16BitAccess = theirs.storageBuffer16BitAccess;
      vulkan11_.uniformAndStorageBuffer16BitAccess = theirs.uniformAndStorageBuffer16BitAccess;
      vulkan11_.storagePushConstant16 = theirs.storagePushConstant16;
      break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES: {
      const auto& theirs = as<VkPhysicalDeviceVariablePointersFeatures>(structure);
      vulkan11_.variablePointersStorageBuffer = theirs.variablePointersStorageBuffer;
      vulkan11_.variablePointers = theirs.variablePointers;
      break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES: {
      const auto& theirs = as<VkPhysicalDevice8BitStorageFeatures>(structure);
      vulkan12_.storageBuffer8BitAccess = theirs.storageBuffer8BitAccess;
      vulkan12_.uniformAndStorageBuffer8BitAccess = theirs.uniformAndStorageBuffer8BitAccess;
      vulkan12_.storagePushConstant8 = theirs.storagePushConstant8;
      break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES: {
      const auto& theirs = as<VkPhysicalDeviceShaderFloat16Int8Features>(structure);
      vulkan12_.shaderFloat16 = theirs.shaderFloat16;
      vulkan12_.shaderInt8 = theirs.shaderInt8;
      break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES: {
      const auto& theirs = as<VkPhysicalDeviceShaderAtomicInt64Features>(structure);
      vulkan12_.shaderBufferInt64Atomics = theirs.shaderBufferInt64Atomics;
      vulkan12_.shaderSharedInt64Atomics = theirs.shaderSharedInt64Atomics;
      break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES:
      vulkan12_.shaderSubgroupExtendedTypes =
          as<VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures>(structure).shaderSubgroupExtendedTypes;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES: {
      const auto& theirs = as<VkPhysicalDeviceVulkanMemoryModelFeatures>(structure);
      vulkan12_.vulkanMemoryModel = theirs.vulkanMemoryModel;
      vulkan12_.vulkanMemoryModelDeviceScope = theirs.vulkanMemoryModelDeviceScope;
      break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES:
      vulkan12_.bufferDeviceAddress = as<VkPhysicalDeviceBufferDeviceAddressFeatures>(structure).bufferDeviceAddress;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES:
      vulkan12_.scalarBlockLayout = as<VkPhysicalDeviceScalarBlockLayoutFeatures>(structure).scalarBlockLayout;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES:
      vulkan12_.uniformBufferStandardLayout =
          as<VkPhysicalDeviceUniformBufferStandardLayoutFeatures>(structure).uniformBufferStandardLayout;
      break;
    default:
      break;  // a feature that this back end does not use
  }
}

std::vector<const char*> extensions_to_enable(const Features& features, const FeatureSupport& support) {
  std::vector<const char*> names;
  const auto enable = [&](bool wanted, const char* extension) {
    if (wanted && support.has(extension)) {
      names.push_back(extension);
    }
  };
  const bool before13 = support.api_version < VK_API_VERSION_1_3;
  enable(before13 && features.wave_size_control, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
  enable(before13 && features.maintenance4, VK_KHR_MAINTENANCE_4_EXTENSION_NAME);
  enable(before13 && features.zero_initialized_groupshared, VK_KHR_ZERO_INITIALIZE_WORKGROUP_MEMORY_EXTENSION_NAME);
  enable(before13 && features.integer_dot_product, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME);
  enable(before13, VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME);
  enable(features.wave_clock || features.device_clock, VK_KHR_SHADER_CLOCK_EXTENSION_NAME);
  enable(features.pipeline_executable_info, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
  enable(features.maximal_reconvergence, maximal_reconvergence_extension);
  enable(features.image_int64_atomics, VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME);
  enable(true, VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME);
  enable(true, "VK_KHR_portability_subset");  // Vulkan asks that it be enabled wherever it is there
  return names;
}

bool names_vulkan13(const VkPhysicalDeviceFeatures2* chain) {
  if (chain == nullptr) {
    return false;
  }
  for (const auto* structure = static_cast<const VkBaseInStructure*>(chain->pNext); structure != nullptr;
       structure = structure->pNext) {
    if (structure->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES) {
      return true;
    }
  }
  return false;
}

}  // namespace crosslane::vulkan
