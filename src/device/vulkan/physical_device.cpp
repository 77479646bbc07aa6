#include "device/vulkan/physical_device.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "device/vulkan/state.hpp"

namespace crosslane::vulkan {
namespace {

std::string vendor_name(std::uint32_t id) {
  struct Vendor {
    std::uint32_t id;
    const char* name;
  };
  constexpr std::array vendors = {
      Vendor{0x1002, "AMD"},   Vendor{0x1010, "Imagination"}, Vendor{0x106B, "Apple"},  Vendor{0x10DE, "NVIDIA"},
      Vendor{0x13B5, "Arm"},   Vendor{0x14E4, "Broadcom"},    Vendor{0x1AE0, "Google"}, Vendor{0x5143, "Qualcomm"},
      Vendor{0x8086, "Intel"}, Vendor{0x10005, "Mesa"},       Vendor{0x10006, "PoCL"},
  };
  const auto* const found = std::ranges::find(vendors, id, &Vendor::id);
  return found == vendors.end() ? fmt::format("vendor 0x{:04x}", id) : found->name;
}

std::string version_text(std::uint32_t version) {
  return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                     VK_API_VERSION_PATCH(version));
}

// Drivers pack their version as they like; NVIDIA's packing is widely known, the others use Vulkan's.
std::string driver_version_text(std::uint32_t version, VkDriverId driver) {
  if (driver == VK_DRIVER_ID_NVIDIA_PROPRIETARY) {
    return fmt::format("{}.{}.{}.{}", version >> 22U, (version >> 14U) & 0xFFU, (version >> 6U) & 0xFFU,
                       version & 0x3FU);
  }
  return version_text(version);
}

// Two 64-bit FNV-1a hashes from different starts. Devices may share a device id or a driver id, so both go in.
std::string identity(std::span<const std::uint8_t> device, std::span<const std::uint8_t> driver) {
  constexpr std::uint64_t prime = 0x100000001b3;
  std::string digits;
  for (std::uint64_t hash : {std::uint64_t{0xcbf29ce484222325}, std::uint64_t{0x9e3779b97f4a7c15}}) {
    for (const auto bytes : {device, driver}) {
      for (const auto byte : bytes) {
        hash = (hash ^ byte) * prime;
      }
    }
    digits += fmt::format("{:016x}", hash);
  }
  return digits;
}

struct Properties {
  vk::PhysicalDeviceProperties core;
  vk::PhysicalDeviceVulkan11Properties vulkan11;
  vk::PhysicalDeviceVulkan12Properties vulkan12;
  vk::PhysicalDeviceSubgroupSizeControlProperties size_control;
  vk::PhysicalDeviceMaintenance4Properties maintenance4;
  vk::PhysicalDeviceShaderSMBuiltinsPropertiesNV nvidia;
  vk::PhysicalDeviceShaderCorePropertiesAMD amd;
};

Properties query(const UsableDevice& usable) {
  Properties properties;
  vk::PhysicalDeviceProperties2 head;
  head.pNext = &properties.vulkan11;
  properties.vulkan11.pNext = &properties.vulkan12;
  void** next = &properties.vulkan12.pNext;
  if (usable.support.has(VK_API_VERSION_1_3, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) {
    *next = &properties.size_control;
    next = &properties.size_control.pNext;
  }
  if (usable.support.has(VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
    *next = &properties.nvidia;
    next = &properties.nvidia.pNext;
  }
  if (usable.support.has(VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
    *next = &properties.amd;
    next = &properties.amd.pNext;
  }
  if (usable.support.has(VK_API_VERSION_1_3, VK_KHR_MAINTENANCE_4_EXTENSION_NAME)) {
    *next = &properties.maintenance4;
  }
  const auto& dispatch = *usable.physical.getDispatcher();
  (*usable.physical).getProperties2(&head, dispatch);
  properties.core = head.properties;
  return properties;
}

WaveSizes wave_sizes(const Properties& properties) {
  const auto standard = properties.vulkan11.subgroupSize;
  if (properties.size_control.maxSubgroupSize == 0) {
    return {standard, standard, standard};
  }
  return {properties.size_control.minSubgroupSize, properties.size_control.maxSubgroupSize, standard};
}

// Drivers whose thread groups, once begun, are known to make progress while others wait for them. No API promises it;
// it holds for the GPUs that run single-pass scans every day. Lavapipe is not among them: its groups are threads and do
// make progress, but it ends loops after 65,535 rounds, waits too (docs/scan.md).
bool groups_make_progress(vk::DriverId driver) {
  switch (driver) {
    case vk::DriverId::eNvidiaProprietary:
    case vk::DriverId::eAmdProprietary:
    case vk::DriverId::eAmdOpenSource:
    case vk::DriverId::eMesaRadv:
    case vk::DriverId::eIntelProprietaryWindows:
    case vk::DriverId::eIntelOpenSourceMESA:
      return true;
    default:
      return false;
  }
}

// Drivers whose groups are known to begin in the order of their numbers. No API promises this either; NVIDIA's own CUB
// takes the tiles of its single-pass scans by the groups' numbers.
bool groups_begin_in_order(vk::DriverId driver) { return driver == vk::DriverId::eNvidiaProprietary; }

DeviceFeatures device_features(const Features& features, const Properties& properties, std::uint32_t timestamp_bits) {
  DeviceFeatures result;
  result.int16 = features.int16;
  result.int64 = features.int64;
  result.float16 = features.float16;
  result.float64 = features.float64;
  result.storage16 = features.storage_buffer16;
  result.int64_atomics = features.buffer_int64_atomics;
  const bool waves_in_compute =
      static_cast<bool>(properties.vulkan11.subgroupSupportedStages & vk::ShaderStageFlagBits::eCompute);
  const auto offers = [&](vk::SubgroupFeatureFlagBits operation) {
    return waves_in_compute && static_cast<bool>(properties.vulkan11.subgroupSupportedOperations & operation);
  };
  result.wave_arithmetic = offers(vk::SubgroupFeatureFlagBits::eArithmetic);
  result.wave_shuffle = offers(vk::SubgroupFeatureFlagBits::eShuffle);
  result.wave_shuffle_relative = offers(vk::SubgroupFeatureFlagBits::eShuffleRelative);
  result.wave_quad = offers(vk::SubgroupFeatureFlagBits::eQuad);
  result.wave_extended_types = features.wave_extended_types;
  result.wave_size_control =
      features.wave_size_control &&
      static_cast<bool>(properties.size_control.requiredSubgroupSizeStages & vk::ShaderStageFlagBits::eCompute);
  result.full_waves = features.full_waves;
  result.maximal_reconvergence = features.maximal_reconvergence;
  result.group_progress = groups_make_progress(properties.vulkan12.driverID);
  result.group_order = groups_begin_in_order(properties.vulkan12.driverID);
  result.denormals_preserved32 = properties.vulkan12.shaderDenormPreserveFloat32 == VK_TRUE;
  result.denormals_preserved64 = properties.vulkan12.shaderDenormPreserveFloat64 == VK_TRUE;
  result.timestamps = timestamp_bits > 0 && properties.core.limits.timestampPeriod > 0;
  return result;
}

std::uint64_t largest_heap(const vk::PhysicalDeviceMemoryProperties& memory) {
  std::uint64_t largest = 0;
  for (const auto& heap : std::span(memory.memoryHeaps.data(), memory.memoryHeapCount)) {
    if (heap.flags & vk::MemoryHeapFlagBits::eDeviceLocal) {
      largest = std::max<std::uint64_t>(largest, heap.size);
    }
  }
  return largest;
}

// maxMemoryAllocationSize is what a driver promises. NVIDIA's promises 4 GiB and gives more: 120 GiB were seen on an
// H200. Others are taken at their word.
std::uint64_t largest_buffer(const Properties& properties, const vk::PhysicalDeviceMemoryProperties& memory) {
  std::uint64_t bytes = largest_heap(memory);
  if (properties.maintenance4.maxBufferSize != 0) {
    bytes = std::min<std::uint64_t>(bytes, properties.maintenance4.maxBufferSize);
  }
  if (properties.vulkan12.driverID != vk::DriverId::eNvidiaProprietary || properties.maintenance4.maxBufferSize == 0) {
    bytes = std::min<std::uint64_t>(bytes, properties.vulkan11.maxMemoryAllocationSize);
  }
  return bytes & ~std::uint64_t{15};  // what is allocated is rounded up to 16 bytes
}

DeviceLimits device_limits(const Properties& properties, const vk::PhysicalDeviceMemoryProperties& memory) {
  const auto& limits = properties.core.limits;
  DeviceLimits result;
  result.buffer_bytes = largest_buffer(properties, memory);
  result.binding_alignment = std::max<std::uint64_t>(1, limits.minStorageBufferOffsetAlignment);
  // Drivers say 2^32 - 1. Whole steps of the alignment: where one largest binding ends the next may begin.
  result.binding_bytes = std::min<std::uint64_t>(limits.maxStorageBufferRange, result.buffer_bytes) /
                         result.binding_alignment * result.binding_alignment;
  result.constants_bytes = limits.maxPushConstantsSize;
  result.groups = {limits.maxComputeWorkGroupCount[0], limits.maxComputeWorkGroupCount[1],
                   limits.maxComputeWorkGroupCount[2]};
  result.group_threads = limits.maxComputeWorkGroupInvocations;
  result.groupshared_bytes = limits.maxComputeSharedMemorySize;
  return result;
}

FloatControls float_controls(const vk::PhysicalDeviceVulkan12Properties& properties) {
  const auto three = [](VkBool32 of16, VkBool32 of32, VkBool32 of64) {
    return std::array{of16 == VK_TRUE, of32 == VK_TRUE, of64 == VK_TRUE};
  };
  FloatControls controls;
  controls.denormals_preserved = three(properties.shaderDenormPreserveFloat16, properties.shaderDenormPreserveFloat32,
                                       properties.shaderDenormPreserveFloat64);
  controls.denormals_flushed =
      three(properties.shaderDenormFlushToZeroFloat16, properties.shaderDenormFlushToZeroFloat32,
            properties.shaderDenormFlushToZeroFloat64);
  controls.special_values_preserved =
      three(properties.shaderSignedZeroInfNanPreserveFloat16, properties.shaderSignedZeroInfNanPreserveFloat32,
            properties.shaderSignedZeroInfNanPreserveFloat64);
  controls.rounds_to_even = three(properties.shaderRoundingModeRTEFloat16, properties.shaderRoundingModeRTEFloat32,
                                  properties.shaderRoundingModeRTEFloat64);
  controls.rounds_to_zero = three(properties.shaderRoundingModeRTZFloat16, properties.shaderRoundingModeRTZFloat32,
                                  properties.shaderRoundingModeRTZFloat64);
  return controls;
}

// A family with timestamps where there is one: measurements need it.
std::optional<std::uint32_t> compute_family(const vk::raii::PhysicalDevice& physical) {
  std::optional<std::uint32_t> chosen;
  const auto families = physical.getQueueFamilyProperties();
  for (std::uint32_t family = 0; family < families.size(); ++family) {
    if (!(families[family].queueFlags & vk::QueueFlagBits::eCompute)) {
      continue;
    }
    if (families[family].timestampValidBits > 0) {
      return family;
    }
    if (!chosen) {
      chosen = family;
    }
  }
  return chosen;
}

}  // namespace

std::vector<UsableDevice> usable_devices(const InstanceState& state) {
  std::vector<UsableDevice> usable;
  for (auto& physical : vk::raii::PhysicalDevices(state.instance)) {
    const auto properties = physical.getProperties();
    const auto family = compute_family(physical);
    if (properties.apiVersion < VK_API_VERSION_1_2 || !family) {
      continue;
    }
    UsableDevice device;
    device.support.api_version = std::min(properties.apiVersion, state.api_version);
    for (const auto& extension : physical.enumerateDeviceExtensionProperties()) {
      device.support.extensions.emplace_back(extension.extensionName.data());
    }
    device.queue_family = *family;
    device.physical = std::move(physical);
    usable.push_back(std::move(device));
  }
  return usable;
}

Features offered_features(const UsableDevice& usable) {
  FeatureChain chain(usable.support);
  usable.physical.getDispatcher()->vkGetPhysicalDeviceFeatures2(*usable.physical, chain.head());
  return chain.read();
}

Description describe(const UsableDevice& usable, const Features& features, std::string id) {
  const auto properties = query(usable);
  const auto memory = usable.physical.getMemoryProperties();
  const auto families = usable.physical.getQueueFamilyProperties();
  const auto& limits = properties.core.limits;

  Description description;
  description.features = features;
  description.api_version = usable.support.api_version;
  description.timestamp_bits = families.at(usable.queue_family).timestampValidBits;
  description.timestamp_period = static_cast<double>(limits.timestampPeriod);
  description.wave_operations = static_cast<VkSubgroupFeatureFlags>(properties.vulkan11.subgroupSupportedOperations);
  description.float_controls = float_controls(properties.vulkan12);
  description.partitioned = usable.support.has(VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME);
  description.non_semantic_info =
      usable.support.has(VK_API_VERSION_1_3, VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME);
  description.uniform_alignment = std::max<std::uint64_t>(1, limits.minUniformBufferOffsetAlignment);
  description.uniform_bytes = limits.maxUniformBufferRange;
  description.sets = limits.maxBoundDescriptorSets;
  description.stage_storage_buffers = limits.maxPerStageDescriptorStorageBuffers;
  description.stage_uniform_buffers = limits.maxPerStageDescriptorUniformBuffers;
  description.stage_storage_images = limits.maxPerStageDescriptorStorageImages;
  description.stage_sampled_images = limits.maxPerStageDescriptorSampledImages;
  description.stage_samplers = limits.maxPerStageDescriptorSamplers;
  description.texels = limits.maxTexelBufferElements;
  description.waves_per_group = properties.size_control.maxComputeWorkgroupSubgroups;
  description.group_size = {limits.maxComputeWorkGroupSize[0], limits.maxComputeWorkGroupSize[1],
                            limits.maxComputeWorkGroupSize[2]};

  auto& info = description.info;
  info.id = std::move(id);
  info.name = properties.core.deviceName.data();
  info.vendor = vendor_name(properties.core.vendorID);
  info.driver = fmt::format("{} {}", properties.vulkan12.driverName.data(), properties.vulkan12.driverInfo.data());
  info.driver_version =
      driver_version_text(properties.core.driverVersion, static_cast<VkDriverId>(properties.vulkan12.driverID));
  info.api_version = version_text(properties.core.apiVersion);
  info.uuid = identity(properties.vulkan11.deviceUUID, properties.vulkan11.driverUUID);
  // Only one vendor's extension is there; the other's numbers are zero.
  info.processors = properties.nvidia.shaderSMCount + properties.amd.shaderEngineCount *
                                                          properties.amd.shaderArraysPerEngineCount *
                                                          properties.amd.computeUnitsPerShaderArray;
  info.kind = properties.core.deviceType == vk::PhysicalDeviceType::eCpu ? DeviceKind::software : DeviceKind::gpu;
  info.wave_sizes = wave_sizes(properties);
  info.features = device_features(features, properties, description.timestamp_bits);
  info.limits = device_limits(properties, memory);
  return description;
}

}  // namespace crosslane::vulkan
