#include "job/texture.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace crosslane::job {
namespace {

// Jobs have layer after layer, each with all its levels; devices level after level, each with all its layers. Calls
// `visit(level, place in the level's bytes, place in the job's bytes, bytes)` for each level of each layer.
template <typename Visit>
void for_each_part(const ImageDescription& image, Visit visit) {
  std::uint64_t place = 0;
  for (std::uint32_t layer = 0; layer < image.layers; ++layer) {
    for (std::uint32_t level = 0; level < image.levels; ++level) {
      const auto bytes = level_bytes(image, level) / image.layers;
      visit(level, layer * bytes, place, bytes);
      place += bytes;
    }
  }
}

// Where a level begins in the bytes of all.
std::uint64_t level_start(const ImageDescription& image, std::uint32_t level) {
  std::uint64_t start = 0;
  for (std::uint32_t before = 0; before < level; ++before) {
    start += level_bytes(image, before);
  }
  return start;
}

}  // namespace

Expected<ImageDescription> describe_texture(const TextureShape& shape, const JobBuffer& buffer) {
  const auto texels = buffer.texels ? buffer.texels : texel_format(buffer.format, buffer.channels);
  if (!texels || !buffer.texture) {
    return fail(ErrorCode::unsupported, fmt::format("'{}' cannot be a texture: texels of {} x {} are not known",
                                                    buffer.name, buffer.channels, name(buffer.format)));
  }
  return ImageDescription{.format = *texels,
                          .dimensions = shape.dimensions,
                          .extent = buffer.texture->extent,
                          .layers = buffer.texture->layers,
                          .levels = buffer.texture->levels,
                          .cube = shape.cube};
}

std::vector<std::byte> level_by_level(const ImageDescription& image, std::span<const std::byte> element) {
  std::vector<std::byte> levels(element.size());
  for_each_part(image, [&](std::uint32_t level, std::uint64_t there, std::uint64_t here, std::uint64_t bytes) {
    std::ranges::copy(element.subspan(here, bytes),
                      levels.begin() + static_cast<std::ptrdiff_t>(level_start(image, level) + there));
  });
  return levels;
}

std::vector<std::byte> layer_by_layer(const ImageDescription& image, std::span<const std::byte> levels) {
  std::vector<std::byte> element(levels.size());
  for_each_part(image, [&](std::uint32_t level, std::uint64_t there, std::uint64_t here, std::uint64_t bytes) {
    std::ranges::copy(levels.subspan(level_start(image, level) + there, bytes),
                      element.begin() + static_cast<std::ptrdiff_t>(here));
  });
  return element;
}

Expected<std::unique_ptr<Image>> upload_texture(Device& device, const TextureShape& shape, const JobBuffer& buffer,
                                                std::span<const std::byte> element) {
  const auto description = describe_texture(shape, buffer);
  if (!description) {
    return tl::unexpected(description.error());
  }
  auto image = device.create_image(*description);
  if (!image) {
    return image;
  }
  const auto levels = level_by_level(*description, element);
  for (std::uint32_t level = 0; level < description->levels; ++level) {
    const auto bytes = std::span(levels).subspan(level_start(*description, level), level_bytes(*description, level));
    if (const auto done = upload(device, **image, bytes, level); !done) {
      return tl::unexpected(done.error());
    }
  }
  return image;
}

Expected<void> download_texture(Device& device, Image& image, std::span<std::byte> element) {
  const auto& description = image.description();
  std::vector<std::byte> levels(element.size());
  for (std::uint32_t level = 0; level < description.levels; ++level) {
    const auto bytes = std::span(levels).subspan(level_start(description, level), level_bytes(description, level));
    if (auto done = download(device, image, bytes, level); !done) {
      return done;
    }
  }
  std::ranges::copy(layer_by_layer(description, levels), element.begin());
  return {};
}

}  // namespace crosslane::job
