#include "device/vulkan/device.hpp"

#include "device/vulkan/buffer.hpp"
#include "device/vulkan/command_list.hpp"
#include "device/vulkan/image.hpp"
#include "device/vulkan/pipeline.hpp"

namespace crosslane::vulkan {

Expected<std::unique_ptr<Buffer>> VulkanDevice::create_buffer(const BufferDescription& description) {
  return VulkanBuffer::create(state_, description);
}

Expected<std::unique_ptr<Image>> VulkanDevice::create_image(const ImageDescription& description) {
  auto image = VulkanImage::create(state_, description);
  if (!image) {
    return tl::unexpected<Error>(std::move(image.error()));
  }
  const auto prepared = guarded("Preparing an image", [&]() -> Expected<void> {
    VulkanCommandList list(state_);
    list.prepare(**image);
    return list.submit().and_then([&] { return list.wait(); });
  });
  if (!prepared) {
    return tl::unexpected<Error>(prepared.error());
  }
  return std::move(*image);
}

Expected<std::unique_ptr<Pipeline>> VulkanDevice::create_pipeline(const PipelineDescription& description) {
  return guarded("Making a pipeline", [&] { return VulkanPipeline::create(state_, description); });
}

Expected<std::unique_ptr<CommandList>> VulkanDevice::create_command_list() {
  return guarded(
      fmt::format("Making a command list on {}", label(info())),
      [&]() -> Expected<std::unique_ptr<CommandList>> { return std::make_unique<VulkanCommandList>(state_); });
}

Expected<void> VulkanDevice::submit(CommandList& list) {
  const auto own = own_list(*state_, list);
  return own ? (*own)->submit() : tl::unexpected<Error>(own.error());
}

Expected<void> VulkanDevice::wait(CommandList& list) {
  const auto own = own_list(*state_, list);
  return own ? (*own)->wait() : tl::unexpected<Error>(own.error());
}

Expected<std::vector<double>> VulkanDevice::timestamps(CommandList& list) {
  const auto own = own_list(*state_, list);
  return own ? (*own)->timestamps() : tl::unexpected<Error>(own.error());
}

std::unique_ptr<Device> make_device(std::shared_ptr<DeviceState> state) {
  return std::make_unique<VulkanDevice>(std::move(state));
}

}  // namespace crosslane::vulkan
