// Command lists of the Vulkan back end.
#pragma once

#include "device/vulkan/descriptors.hpp"
#include "device/vulkan/image.hpp"
#include "device/vulkan/state.hpp"
#include "device/vulkan/timestamps.hpp"

namespace crosslane::vulkan {

class VulkanCommandList final : public CommandList {
 public:
  /// A list with a command buffer of its own. Throws what Vulkan-Hpp throws.
  explicit VulkanCommandList(std::shared_ptr<DeviceState> state);
  /// Records into the caller's command buffer, which is in the recording state.
  VulkanCommandList(std::shared_ptr<DeviceState> state, VkCommandBuffer adopted);
  VulkanCommandList(const VulkanCommandList&) = delete;
  VulkanCommandList& operator=(const VulkanCommandList&) = delete;
  /// Waits for the work first: what the list owns is in use until then.
  ~VulkanCommandList() override;

  Expected<void> dispatch(const Pipeline& pipeline, std::span<const Binding> bindings,
                          std::span<const std::byte> constants, GroupCount groups) override;
  Expected<void> dispatch_indirect(const Pipeline& pipeline, std::span<const Binding> bindings,
                                   std::span<const std::byte> constants, const BufferPlace& groups) override;
  Expected<void> copy(Buffer& source, std::uint64_t source_offset, Buffer& destination,
                      std::uint64_t destination_offset, std::uint64_t bytes) override;
  Expected<void> copy_to_image(Buffer& source, std::uint64_t offset, Image& destination, std::uint32_t level) override;
  Expected<void> copy_to_buffer(Image& source, std::uint32_t level, Buffer& destination, std::uint64_t offset) override;
  Expected<void> fill(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word) override;
  Expected<void> barrier() override;
  Expected<std::uint32_t> timestamp() override;

  /// Brings a new image into the layout in which it stays. Throws what Vulkan-Hpp throws.
  void prepare(const VulkanImage& image);

  [[nodiscard]] const DeviceState* state() const { return state_.get(); }
  Expected<void> submit();
  Expected<void> wait();
  [[nodiscard]] Expected<std::vector<double>> timestamps() const;

 private:
  enum class Stage : std::uint8_t { recording, failed, submitted, finished };

  [[nodiscard]] Expected<void> check_recording() const;
  /// Records what a dispatch needs, and `start`, which begins it.
  template <typename Start>
  Expected<void> record_dispatch(const VulkanPipeline& shader, std::span<const Binding> bindings,
                                 std::span<const std::byte> constants, const Start& start);

  std::shared_ptr<DeviceState> state_;
  vk::raii::CommandPool pool_{nullptr};
  vk::raii::Fence fence_{nullptr};
  vk::CommandBuffer commands_;
  DescriptorSets descriptors_;
  Timestamps timestamps_;
  Stage stage_ = Stage::recording;
  bool adopted_ = false;
  /// Work before that barrier may have written what an indirect dispatch reads. It may at the start too: in a list
  /// before.
  bool barrier_since_indirect_ = true;
};

/// The list as this back end's, or an Error where it belongs to another device.
Expected<VulkanCommandList*> own_list(const DeviceState& state, CommandList& list);

}  // namespace crosslane::vulkan
