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

std::vector<std::vector<std::byte>> level_memory(const ImageDescription& image) {
  std::vector<std::vector<std::byte>> levels(image.levels);
  for (std::uint32_t level = 0; level < image.levels; ++level) {
    levels[level].resize(level_bytes(image, level));
  }
  return levels;
}

}  // namespace

Expected<std::unique_ptr<Image>> upload_texture(Device& device, const TextureShape& shape, const JobBuffer& buffer,
                                                std::span<const std::byte> element) {
  const auto texels = buffer.texels ? buffer.texels : texel_format(buffer.format, buffer.channels);
  if (!texels || !buffer.texture) {
    return fail(ErrorCode::unsupported, fmt::format("'{}' cannot be a texture: texels of {} x {} are not known",
                                                    buffer.name, buffer.channels, name(buffer.format)));
  }
  const ImageDescription description{.format = *texels,
                                     .dimensions = shape.dimensions,
                                     .extent = buffer.texture->extent,
                                     .layers = buffer.texture->layers,
                                     .levels = buffer.texture->levels,
                                     .cube = shape.cube};
  auto image = device.create_image(description);
  if (!image) {
    return image;
  }
  auto levels = level_memory(description);
  for_each_part(description, [&](std::uint32_t level, std::uint64_t there, std::uint64_t here, std::uint64_t bytes) {
    std::ranges::copy(element.subspan(here, bytes), levels[level].begin() + static_cast<std::ptrdiff_t>(there));
  });
  for (std::uint32_t level = 0; level < description.levels; ++level) {
    if (const auto done = upload(device, **image, levels[level], level); !done) {
      return tl::unexpected(done.error());
    }
  }
  return image;
}

Expected<void> download_texture(Device& device, Image& image, std::span<std::byte> element) {
  const auto& description = image.description();
  auto levels = level_memory(description);
  for (std::uint32_t level = 0; level < description.levels; ++level) {
    if (auto done = download(device, image, levels[level], level); !done) {
      return done;
    }
  }
  for_each_part(description, [&](std::uint32_t level, std::uint64_t there, std::uint64_t here, std::uint64_t bytes) {
    std::ranges::copy(std::span(levels[level]).subspan(there, bytes), element.subspan(here).begin());
  });
  return {};
}

}  // namespace crosslane::job
