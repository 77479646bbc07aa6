// Vulkan's names for the formats of texels.
#pragma once

#include <vulkan/vulkan.hpp>

#include "crosslane/texel_format.hpp"

namespace crosslane::vulkan {

/// `eUndefined` for other than 1 to 4 channels.
vk::Format vulkan_format(TexelFormat texels);

}  // namespace crosslane::vulkan
