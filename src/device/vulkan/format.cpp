#include "device/vulkan/format.hpp"

#include <array>

namespace crosslane::vulkan {

vk::Format vulkan_format(TexelFormat texels) {
  using enum vk::Format;
  constexpr std::size_t most_channels = 4;
  constexpr std::array<std::array<vk::Format, most_channels>, 14> formats = {{
      {eR8Uint, eR8G8Uint, eR8G8B8Uint, eR8G8B8A8Uint},
      {eR8Sint, eR8G8Sint, eR8G8B8Sint, eR8G8B8A8Sint},
      {eR16Uint, eR16G16Uint, eR16G16B16Uint, eR16G16B16A16Uint},
      {eR16Sint, eR16G16Sint, eR16G16B16Sint, eR16G16B16A16Sint},
      {eR32Uint, eR32G32Uint, eR32G32B32Uint, eR32G32B32A32Uint},
      {eR32Sint, eR32G32Sint, eR32G32B32Sint, eR32G32B32A32Sint},
      {eR64Uint, eR64G64Uint, eR64G64B64Uint, eR64G64B64A64Uint},
      {eR64Sint, eR64G64Sint, eR64G64B64Sint, eR64G64B64A64Sint},
      {eR16Sfloat, eR16G16Sfloat, eR16G16B16Sfloat, eR16G16B16A16Sfloat},
      {eR32Sfloat, eR32G32Sfloat, eR32G32B32Sfloat, eR32G32B32A32Sfloat},
      {eR8Unorm, eR8G8Unorm, eR8G8B8Unorm, eR8G8B8A8Unorm},
      {eR8Snorm, eR8G8Snorm, eR8G8B8Snorm, eR8G8B8A8Snorm},
      {eR16Unorm, eR16G16Unorm, eR16G16B16Unorm, eR16G16B16A16Unorm},
      {eR16Snorm, eR16G16Snorm, eR16G16B16Snorm, eR16G16B16A16Snorm},
  }};
  const bool known = texels.channels >= 1 && texels.channels <= most_channels;
  return known ? formats.at(static_cast<std::size_t>(texels.type)).at(texels.channels - 1) : eUndefined;
}

}  // namespace crosslane::vulkan
