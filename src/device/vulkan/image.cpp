#include "device/vulkan/image.hpp"

#include <array>

#include "device/vulkan/buffer.hpp"
#include "device/vulkan/format.hpp"

namespace crosslane::vulkan {
namespace {

vk::ImageUsageFlags possible_usage(const DeviceState& state, vk::Format format) {
  using Usage = vk::ImageUsageFlagBits;
  using Feature = vk::FormatFeatureFlagBits;
  if (format == vk::Format::eUndefined) {
    return {};
  }
  const auto features = state.physical.getFormatProperties(format).optimalTilingFeatures;
  vk::ImageUsageFlags usage;
  if (features & Feature::eStorageImage) {
    usage |= Usage::eStorage;
  }
  if (features & Feature::eSampledImage) {
    usage |= Usage::eSampled;
  }
  return usage ? usage | Usage::eTransferSrc | Usage::eTransferDst : vk::ImageUsageFlags{};
}

vk::ImageCreateInfo image_info(const ImageDescription& image, vk::Format format, vk::ImageUsageFlags usage) {
  constexpr std::array types = {vk::ImageType::e1D, vk::ImageType::e2D, vk::ImageType::e3D};
  vk::ImageCreateInfo info;
  info.flags = image.cube ? vk::ImageCreateFlagBits::eCubeCompatible : vk::ImageCreateFlags{};
  info.imageType = types.at(image.dimensions - 1);
  info.format = format;
  info.extent = vk::Extent3D(image.extent[0], image.extent[1], image.extent[2]);
  info.mipLevels = image.levels;
  info.arrayLayers = image.layers;
  info.usage = usage;
  return info;
}

bool has_image(const DeviceState& state, const vk::ImageCreateInfo& info) {
  try {
    const auto most =
        state.physical.getImageFormatProperties(info.format, info.imageType, info.tiling, info.usage, info.flags);
    return info.extent.width <= most.maxExtent.width && info.extent.height <= most.maxExtent.height &&
           info.extent.depth <= most.maxExtent.depth && info.mipLevels <= most.maxMipLevels &&
           info.arrayLayers <= most.maxArrayLayers;
  } catch (const vk::FormatNotSupportedError&) {
    return false;
  }
}

vk::SamplerAddressMode address_mode(TextureAddress address) {
  switch (address) {
    case TextureAddress::wrap:
      return vk::SamplerAddressMode::eRepeat;
    case TextureAddress::mirror:
      return vk::SamplerAddressMode::eMirroredRepeat;
    case TextureAddress::clamp:
      return vk::SamplerAddressMode::eClampToEdge;
    default:
      return vk::SamplerAddressMode::eClampToBorder;
  }
}

vk::BorderColor border_color(BorderColor color) {
  switch (color) {
    case BorderColor::opaque_black:
      return vk::BorderColor::eFloatOpaqueBlack;
    case BorderColor::opaque_white:
      return vk::BorderColor::eFloatOpaqueWhite;
    default:
      return vk::BorderColor::eFloatTransparentBlack;
  }
}

vk::Filter filter(Filter filter) { return filter == Filter::linear ? vk::Filter::eLinear : vk::Filter::eNearest; }

}  // namespace

VulkanImage::VulkanImage(std::shared_ptr<DeviceState> state, const ImageDescription& description)
    : state_(std::move(state)), description_(description) {}

Expected<std::unique_ptr<VulkanImage>> VulkanImage::create(std::shared_ptr<DeviceState> state,
                                                           const ImageDescription& description) {
  if (auto checked = check_image(description); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  const auto what = fmt::format("Allocating a {} on {}", describe(description), label(state->info()));
  return guarded(what, [&]() -> Expected<std::unique_ptr<VulkanImage>> {
    std::unique_ptr<VulkanImage> image(new VulkanImage(state, description));
    image->format_ = vulkan_format(description.format);
    image->usage_ = possible_usage(*state, image->format_);
    const auto info = image_info(description, image->format_, image->usage_);
    if (!image->usage_ || !has_image(*state, info)) {
      return fail(ErrorCode::unsupported, fmt::format("{} has no {}.", label(state->info()), describe(description)));
    }
    image->image_ = vk::raii::Image(state->device, info);
    auto memory = allocate_memory(*state, image->image_.getMemoryRequirements(), MemoryKind::device, what);
    if (!memory) {
      return tl::unexpected<Error>(std::move(memory.error()));
    }
    image->memory_ = std::move(*memory);
    image->image_.bindMemory(*image->memory_, 0);
    return image;
  });
}

Expected<VulkanImage*> own_image(const DeviceState& state, Image* image) {
  if (image == nullptr) {
    return fail(ErrorCode::invalid_argument, "A null image was passed.");
  }
  auto* const own = dynamic_cast<VulkanImage*>(image);
  if (own == nullptr || own->state() != &state) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("An image of another device was passed to {}.", label(state.info())));
  }
  return own;
}

vk::BufferImageCopy copy_region(const ImageDescription& image, std::uint32_t level, std::uint64_t offset) {
  const auto extent = level_extent(image, level);
  const vk::ImageSubresourceLayers layers(vk::ImageAspectFlagBits::eColor, level, 0, image.layers);
  return {offset, 0, 0, layers, {}, vk::Extent3D(extent[0], extent[1], extent[2])};
}

vk::SamplerCreateInfo sampler_info(const Sampler& sampler) {
  vk::SamplerCreateInfo info;
  info.magFilter = filter(sampler.magnify);
  info.minFilter = filter(sampler.minify);
  info.mipmapMode = sampler.mips == Filter::linear ? vk::SamplerMipmapMode::eLinear : vk::SamplerMipmapMode::eNearest;
  info.addressModeU = address_mode(sampler.address[0]);
  info.addressModeV = address_mode(sampler.address[1]);
  info.addressModeW = address_mode(sampler.address[2]);
  info.mipLodBias = sampler.lod_bias;
  info.minLod = sampler.min_lod;
  info.maxLod = sampler.max_lod;
  info.borderColor = border_color(sampler.border);
  return info;
}

}  // namespace crosslane::vulkan
