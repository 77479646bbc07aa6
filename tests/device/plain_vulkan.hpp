// A program that uses Vulkan by itself, as an engine does: its C interface, loaded at run time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include "crosslane/vulkan.hpp"

namespace crosslane::test {

/// What the engine enables.
struct EngineOptions {
  bool vulkan13 = false;  ///< uses VkPhysicalDeviceVulkan13Features; else Vulkan 1.2 and extensions
  bool int64 = true;
};

/// Instance with the validation layer, first device with a compute queue, one queue, one command pool.
/// Failures throw std::runtime_error.
class PlainVulkan {
 public:
  explicit PlainVulkan(const EngineOptions& options = {});
  PlainVulkan(const PlainVulkan&) = delete;
  PlainVulkan& operator=(const PlainVulkan&) = delete;
  ~PlainVulkan();

  /// The handles, for adoption.
  [[nodiscard]] vulkan::ExistingDevice existing() const;

  struct MappedBuffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    std::uint32_t* words = nullptr;
  };
  /// A buffer in memory that the host sees; it goes with this object.
  MappedBuffer make_buffer(std::uint64_t bytes);
  /// A command buffer in the recording state; it goes with this object.
  VkCommandBuffer begin_commands();
  void end_and_submit_and_wait(VkCommandBuffer commands);

  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }

 private:
  struct Functions;
  void make_instance(const EngineOptions& options);
  void make_device(const EngineOptions& options);

  std::unique_ptr<Functions> vk_;
  std::vector<std::string> messages_;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  std::uint32_t family_ = 0;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<MappedBuffer> buffers_;
  // Kept: an engine hands them over later.
  VkPhysicalDeviceFeatures2 features_{};
  VkPhysicalDeviceVulkan13Features features13_{};
  VkPhysicalDeviceSubgroupSizeControlFeatures size_control_{};
  std::vector<const char*> extensions_;
};

}  // namespace crosslane::test
