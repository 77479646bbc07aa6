// The formats of texels that a shader names.
#pragma once

#include <cstdint>
#include <optional>

#include "crosslane/texel_format.hpp"
#include "job/format.hpp"

namespace crosslane::cli {

/// Of SPIR-V's number of an image format, where its channels are plain numbers.
std::optional<TexelFormat> texel_format(std::uint32_t image_format);

/// Of one channel in memory.
job::Format storage_format(TexelType type);

}  // namespace crosslane::cli
