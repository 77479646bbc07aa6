// The Vulkan back end: devices of this machine, or the caller's own instance, device, queue and command buffers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include "crosslane/device.hpp"

namespace crosslane::vulkan {

struct InstanceOptions {
  /// Turns on VK_LAYER_KHRONOS_validation where it is installed; its messages are collected, never printed.
  bool validation = false;
};

/// One Vulkan instance and the devices it sees. Outlives the devices it opens.
class Instance {
 public:
  virtual ~Instance() = default;
  /// What each physical device says of itself, in the driver's order; ids are "vulkan:0", "vulkan:1", …
  [[nodiscard]] virtual const std::vector<DeviceInfo>& devices() const = 0;
  /// Opens a device by its place in `devices()`.
  [[nodiscard]] virtual Expected<std::unique_ptr<Device>> open(std::size_t index) = 0;
  /// True where `InstanceOptions::validation` was asked for and the layer is installed.
  [[nodiscard]] virtual bool validating() const = 0;
  /// Warnings and errors that the validation layer reported so far.
  [[nodiscard]] virtual std::vector<std::string> validation_messages() const = 0;
};

/// Loads the Vulkan loader and makes an instance. Errors: `device` where there is no loader or no instance.
Expected<std::unique_ptr<Instance>> create_instance(const InstanceOptions& options = {});

/// Handles of a program that already runs Vulkan 1.2 or later. They stay the caller's and outlive what is made of them.
struct ExistingDevice {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;  ///< of a family with compute; the caller keeps other threads off it during submit
  std::uint32_t queue_family = 0;
  /// The `pNext` chain and the extension names that the device was created with: only what was enabled is used.
  const VkPhysicalDeviceFeatures2* enabled_features = nullptr;
  std::span<const char* const> enabled_extensions = {};
};

/// Makes a Device of the caller's handles. Errors: `invalid_argument` for null handles.
Expected<std::unique_ptr<Device>> adopt(const ExistingDevice& existing);

/// Makes a Buffer of the caller's VkBuffer of `bytes` bytes, created with storage, transfer source and transfer
/// destination usage. `device` is one of this back end.
Expected<std::unique_ptr<Buffer>> adopt_buffer(Device& device, VkBuffer buffer, std::uint64_t bytes);

/// Makes a CommandList that records into the caller's command buffer, which is in the recording state. It cannot be
/// submitted through Device::submit; keep it until the command buffer has finished, since it owns the descriptor sets.
Expected<std::unique_ptr<CommandList>> adopt_command_buffer(Device& device, VkCommandBuffer command_buffer);

}  // namespace crosslane::vulkan
