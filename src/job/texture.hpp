// A job's textures on a device.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "crosslane/device.hpp"
#include "job/job.hpp"

namespace crosslane::job {

/// An image with the texels of one element of the buffer. Errors: `unsupported` for formats that texels do not have; as
/// the device's.
Expected<std::unique_ptr<Image>> upload_texture(Device& device, const TextureShape& shape, const JobBuffer& buffer,
                                                std::span<const std::byte> element);

/// Copies all texels back into the element they came from.
Expected<void> download_texture(Device& device, Image& image, std::span<std::byte> element);

}  // namespace crosslane::job
