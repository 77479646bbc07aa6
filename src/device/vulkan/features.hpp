// The Vulkan features that this back end uses, and where Vulkan's structures keep each of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

namespace crosslane::vulkan {

/// What is enabled on a device (or could be, when asked of a physical device).
struct Features {
  bool int8 = false;
  bool int16 = false;
  bool int64 = false;
  bool float16 = false;
  bool float64 = false;
  bool storage_buffer8 = false;
  bool uniform_buffer8 = false;
  bool push_constant8 = false;
  bool storage_buffer16 = false;
  bool uniform_buffer16 = false;
  bool push_constant16 = false;
  bool buffer_int64_atomics = false;
  bool groupshared_int64_atomics = false;
  bool wave_extended_types = false;
  bool wave_size_control = false;
  bool full_waves = false;
  bool wave_clock = false;
  bool device_clock = false;
  bool pipeline_executable_info = false;
  bool variable_pointers_storage_buffer = false;
  bool variable_pointers = false;
  bool memory_model = false;
  bool memory_model_device_scope = false;
  bool buffer_device_address = false;
  bool scalar_block_layout = false;
  bool uniform_buffer_standard_layout = false;
  bool zero_initialized_groupshared = false;
  bool integer_dot_product = false;
  bool maintenance4 = false;
  bool maximal_reconvergence = false;
  bool image_int64_atomics = false;  ///< on typed buffers too
  bool storage_image_extended_formats = false;
  bool storage_image_read_without_format = false;
  bool storage_image_write_without_format = false;
  bool uniform_buffer_array_dynamic = false;
  bool storage_buffer_array_dynamic = false;
  bool uniform_texel_buffer_array_dynamic = false;
  bool storage_texel_buffer_array_dynamic = false;
  bool uniform_buffer_array_non_uniform = false;
  bool storage_buffer_array_non_uniform = false;
  bool uniform_texel_buffer_array_non_uniform = false;
  bool storage_texel_buffer_array_non_uniform = false;
  bool image_cube_array = false;
  bool image_gather_extended = false;
  bool sampled_image_array_dynamic = false;
  bool storage_image_array_dynamic = false;
  bool sampled_image_array_non_uniform = false;
  bool storage_image_array_non_uniform = false;
};

/// VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR, which headers before 1.3.276 do not have.
struct MaximalReconvergenceFeatures {
  VkStructureType sType;
  void* pNext;
  VkBool32 shaderMaximalReconvergence;
};
inline constexpr auto maximal_reconvergence_structure = static_cast<VkStructureType>(1000434000);
inline constexpr const char* maximal_reconvergence_extension = "VK_KHR_shader_maximal_reconvergence";

/// Which structures a device understands, by its Vulkan version and extensions.
struct FeatureSupport {
  std::uint32_t api_version = 0;
  std::vector<std::string> extensions;  ///< available ones, or enabled ones where a device is adopted

  [[nodiscard]] bool has(std::string_view extension) const;
  /// True where the version or the extension brings it.
  [[nodiscard]] bool has(std::uint32_t version, std::string_view extension) const;
};

/// The chain of feature structures, for vkGetPhysicalDeviceFeatures2 and for VkDeviceCreateInfo::pNext.
class FeatureChain {
 public:
  explicit FeatureChain(const FeatureSupport& support);
  FeatureChain(const FeatureChain&) = delete;
  FeatureChain& operator=(const FeatureChain&) = delete;

  VkPhysicalDeviceFeatures2* head() { return &core_; }
  [[nodiscard]] Features read() const;
  void write(const Features& features);
  /// Takes over what somebody else's chain says; structures that it does not know are left aside.
  void merge(const VkPhysicalDeviceFeatures2& enabled);

 private:
  void merge_structure(const VkBaseInStructure* structure);

  VkPhysicalDeviceFeatures2 core_{};
  VkPhysicalDeviceVulkan11Features vulkan11_{};
  VkPhysicalDeviceVulkan12Features vulkan12_{};
  VkPhysicalDeviceSubgroupSizeControlFeatures size_control_{};
  VkPhysicalDeviceMaintenance4Features maintenance4_{};
  VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures zero_initialize_{};
  VkPhysicalDeviceShaderIntegerDotProductFeatures dot_product_{};
  VkPhysicalDeviceShaderClockFeaturesKHR clock_{};
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables_{};
  MaximalReconvergenceFeatures reconvergence_{};
  VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT image_atomics_{};

  template <typename Chain, typename FeatureSet, typename Visit>
  static void for_each(Chain& chain, FeatureSet& features, Visit visit);
};

/// The device extensions to enable for `features`, and those that bring SPIR-V extensions without a feature.
std::vector<const char*> extensions_to_enable(const Features& features, const FeatureSupport& support);

/// True where the chain holds VkPhysicalDeviceVulkan13Features: the program then runs Vulkan 1.3.
bool names_vulkan13(const VkPhysicalDeviceFeatures2* chain);

}  // namespace crosslane::vulkan
