// A job's textures on a device.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "crosslane/device.hpp"
#include "job/job.hpp"

namespace crosslane::job {

/// Errors: `unsupported` for formats that texels do not have.
Expected<ImageDescription> describe_texture(const TextureShape& shape, const JobBuffer& buffer);

/// Jobs have layer after layer, each with all its levels; devices level after level, each with all its layers.
std::vector<std::byte> level_by_level(const ImageDescription& image, std::span<const std::byte> element);
std::vector<std::byte> layer_by_layer(const ImageDescription& image, std::span<const std::byte> levels);

/// An image with the texels of one element of the buffer. Errors: `unsupported` for formats that texels do not have; as
/// the device's.
Expected<std::unique_ptr<Image>> upload_texture(Device& device, const TextureShape& shape, const JobBuffer& buffer,
                                                std::span<const std::byte> element);

/// Copies all texels back into the element they came from.
Expected<void> download_texture(Device& device, Image& image, std::span<std::byte> element);

}  // namespace crosslane::job
