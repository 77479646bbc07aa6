#include "device/checks.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace crosslane {
namespace {

constexpr std::uint64_t word_bytes = 4;

Expected<void> check_words(std::string_view what, std::string_view which, std::uint64_t value) {
  if (value % word_bytes != 0) {
    return fail(ErrorCode::invalid_argument, fmt::format("{}: {} {} is not a multiple of 4.", what, which, value));
  }
  return {};
}

}  // namespace

Expected<void> check_range(std::string_view what, std::uint64_t buffer_bytes, std::uint64_t offset,
                           std::uint64_t bytes) {
  if (!lies_inside(buffer_bytes, offset, bytes)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: {} bytes from byte {} on lie outside the buffer of {} bytes.", what, bytes, offset,
                            buffer_bytes));
  }
  return {};
}

Expected<void> check_word_range(std::string_view what, std::uint64_t buffer_bytes, std::uint64_t offset,
                                std::uint64_t bytes) {
  auto checked = check_words(what, "offset", offset);
  checked = checked ? check_words(what, "size", bytes) : checked;
  return checked ? check_range(what, buffer_bytes, offset, bytes) : checked;
}

Expected<void> check_overlap(bool same_buffer, std::uint64_t source_offset, std::uint64_t destination_offset,
                             std::uint64_t bytes) {
  const auto distance =
      source_offset > destination_offset ? source_offset - destination_offset : destination_offset - source_offset;
  if (same_buffer && distance < bytes) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("Copying {} bytes from byte {} to byte {} of one buffer: the ranges overlap.", bytes,
                            source_offset, destination_offset));
  }
  return {};
}

Expected<void> check_groups(const DeviceInfo& device, std::string_view shader, GroupCount groups) {
  for (std::size_t dimension = 0; dimension < groups.size(); ++dimension) {
    const auto most = device.limits.groups.at(dimension);
    if (groups.at(dimension) > most) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("Shader \"{}\": {} thread groups in dimension {} are more than the {} that {} allows.",
                              shader, groups.at(dimension), dimension, most, label(device)));
    }
  }
  return {};
}

Expected<void> check_constants(std::string_view shader, std::size_t needed, std::size_t given) {
  constexpr std::size_t most_padding = 15;
  const auto most = needed == 0 ? 0 : needed + most_padding;
  if (given < needed || given > most) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("Shader \"{}\" takes {} bytes of constants, but {} were given.", shader, needed, given));
  }
  return {};
}

std::string describe(const ImageDescription& image) {
  return fmt::format("{}-D image{} of {} x {} x {} texels of {} x {}, layers: {}, levels: {}", image.dimensions,
                     image.cube ? " (cube)" : "", image.extent[0], image.extent[1], image.extent[2],
                     image.format.channels, name(image.format.type), image.layers, image.levels);
}

Expected<void> check_image(const ImageDescription& image) {
  const auto& extent = image.extent;
  const auto largest = std::max({extent[0], extent[1], extent[2]});
  const bool format = image.format.channels >= 1 && image.format.channels <= 4;
  const bool dimensions = image.dimensions >= 1 && image.dimensions <= 3;
  const bool whole = std::ranges::all_of(extent, [](std::uint32_t texels) { return texels != 0; });
  const bool flat = (image.dimensions > 1 || extent[1] == 1) && (image.dimensions > 2 || extent[2] == 1);
  const bool layers = image.layers >= 1 && (image.dimensions < 3 || image.layers == 1);
  const bool levels = image.levels >= 1 && image.levels <= static_cast<std::uint32_t>(std::bit_width(largest));
  const bool cube = !image.cube || (image.dimensions == 2 && extent[0] == extent[1] && image.layers % 6 == 0);
  if (format && dimensions && whole && flat && layers && levels && cube) {
    return {};
  }
  return fail(ErrorCode::invalid_argument,
              fmt::format("There can be no {}: it needs 1 to 4 channels, 1 to 3 dimensions, at least one texel along "
                          "each and one beyond them, no layers in three dimensions, as many levels as its extent can "
                          "be halved, and for a cube squares and a multiple of six layers.",
                          describe(image)));
}

Expected<void> check_image_copy(const ImageDescription& image, std::uint32_t level, std::uint64_t buffer_bytes,
                                std::uint64_t offset) {
  if (level >= image.levels) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("Copying level {}: there is none in a {}.", level, describe(image)));
  }
  if (offset % 4 != 0 || offset % size_of(image.format) != 0) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("Copying texels: offset {} in the buffer is no multiple of 4 and of the {} bytes of a texel.",
                    offset, size_of(image.format)));
  }
  return check_range("Copying texels", buffer_bytes, offset, level_bytes(image, level));
}

Expected<void> check_shown_image(std::string_view place, const ShownImage& shader, const ImageDescription& image,
                                 std::uint32_t level) {
  if (level >= image.levels) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: there is no level {} in a {}.", place, level, describe(image)));
  }
  const auto layers = shader.cube ? 6U : 1U;
  if (image.dimensions != shader.dimensions || (shader.cube && !image.cube) ||
      (!shader.arrayed && image.layers != layers) || image.layers % layers != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: the shader takes it for {}{}-D image{}, but it is a {}.", place,
                            shader.arrayed ? "an array of a " : "a ", shader.dimensions, shader.cube ? " (cube)" : "",
                            describe(image)));
  }
  return check_texels(place, image.format, shader.floats);
}

Expected<void> check_texels(std::string_view place, TexelFormat format, bool floats) {
  if (format.channels < 1 || format.channels > 4) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: texels have 1 to 4 channels, not {}.", place, format.channels));
  }
  const bool integers = format.type <= TexelType::i64;
  if (floats == integers) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: its texels are {} x {}, but the shader takes them for {}.", place, format.channels,
                            name(format.type), floats ? "floats" : "integers"));
  }
  return {};
}

std::string label(const DeviceInfo& info) { return fmt::format("{} ({})", info.id, info.name); }

}  // namespace crosslane
