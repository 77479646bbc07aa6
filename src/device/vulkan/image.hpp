// Images of the Vulkan back end.
#pragma once

#include "device/checks.hpp"
#include "device/vulkan/state.hpp"

namespace crosslane::vulkan {

/// Stays in the general layout, which allows every use.
class VulkanImage final : public Image {
 public:
  /// Allocates; the caller brings it into the general layout. Errors: `invalid_argument` for a description that cannot
  /// be, `unsupported` for one that the device lacks, `device` where memory is out.
  static Expected<std::unique_ptr<VulkanImage>> create(std::shared_ptr<DeviceState> state,
                                                       const ImageDescription& description);

  [[nodiscard]] const ImageDescription& description() const override { return description_; }
  [[nodiscard]] vk::Image handle() const { return *image_; }
  [[nodiscard]] vk::Format format() const { return format_; }
  /// What shaders may do with it.
  [[nodiscard]] vk::ImageUsageFlags usage() const { return usage_; }
  [[nodiscard]] const DeviceState* state() const { return state_.get(); }

 private:
  VulkanImage(std::shared_ptr<DeviceState> state, const ImageDescription& description);

  std::shared_ptr<DeviceState> state_;
  ImageDescription description_;
  vk::Format format_ = vk::Format::eUndefined;
  vk::ImageUsageFlags usage_;
  vk::raii::DeviceMemory memory_{nullptr};
  vk::raii::Image image_{nullptr};
};

/// The image as this back end's, or an Error where it is null or belongs to another device.
Expected<VulkanImage*> own_image(const DeviceState& state, Image* image);

/// One level of all layers, for copies.
vk::BufferImageCopy copy_region(const ImageDescription& image, std::uint32_t level, std::uint64_t offset);

vk::SamplerCreateInfo sampler_info(const Sampler& sampler);

}  // namespace crosslane::vulkan
