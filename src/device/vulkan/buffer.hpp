// Buffers of the Vulkan back end.
#pragma once

#include "device/checks.hpp"
#include "device/vulkan/state.hpp"

namespace crosslane::vulkan {

class VulkanBuffer final : public Buffer {
 public:
  /// Allocates. Errors: `invalid_argument` for 0 bytes or more than the device's limit, `device` where memory is out.
  static Expected<std::unique_ptr<Buffer>> create(std::shared_ptr<DeviceState> state,
                                                  const BufferDescription& description);
  /// Stands for a buffer that stays the caller's.
  VulkanBuffer(std::shared_ptr<DeviceState> state, VkBuffer adopted, std::uint64_t bytes);

  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] std::span<std::byte> host() override { return host_; }

  [[nodiscard]] vk::Buffer handle() const { return handle_; }
  [[nodiscard]] const DeviceState* state() const { return state_.get(); }
  [[nodiscard]] bool adopted() const { return adopted_; }
  /// Bytes that Vulkan knows: ours are rounded up, so that shaders may read the last word whole.
  [[nodiscard]] std::uint64_t allocated_bytes() const;

 private:
  VulkanBuffer(std::shared_ptr<DeviceState> state, std::uint64_t bytes);

  std::shared_ptr<DeviceState> state_;
  vk::raii::DeviceMemory memory_{nullptr};
  vk::raii::Buffer owned_{nullptr};
  vk::Buffer handle_;
  std::span<std::byte> host_;
  std::uint64_t bytes_ = 0;
  bool adopted_ = false;
};

/// Memory of that kind. Throws what Vulkan-Hpp throws; errors: `unsupported` where the device has none, beginning with
/// `what`.
Expected<vk::raii::DeviceMemory> allocate_memory(const DeviceState& state, const vk::MemoryRequirements& needs,
                                                 MemoryKind kind, const std::string& what);

/// The buffer as this back end's, or an Error where it is null or belongs to another device.
Expected<VulkanBuffer*> own_buffer(const DeviceState& state, Buffer* buffer);

/// Bytes that commands may move: the last word of a buffer counts whole where its memory is there.
std::uint64_t whole_words(const VulkanBuffer& buffer);

}  // namespace crosslane::vulkan
