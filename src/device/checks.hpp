// What every back end checks before it records a command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "crosslane/device.hpp"

namespace crosslane {

/// Errors: `invalid_argument` for ranges that are not whole words inside a buffer of `buffer_bytes`.
Expected<void> check_word_range(std::string_view what, std::uint64_t buffer_bytes, std::uint64_t offset,
                                std::uint64_t bytes);

constexpr bool lies_inside(std::uint64_t buffer_bytes, std::uint64_t offset, std::uint64_t bytes) {
  return offset <= buffer_bytes && bytes <= buffer_bytes - offset;
}

/// Errors: `invalid_argument` for ranges that do not lie inside the buffer.
Expected<void> check_range(std::string_view what, std::uint64_t buffer_bytes, std::uint64_t offset,
                           std::uint64_t bytes);

/// Bytes that an indirect dispatch reads: three words.
inline constexpr std::uint64_t groups_bytes = sizeof(GroupCount);

/// Errors: `invalid_argument` for more thread groups than the device runs.
Expected<void> check_groups(const DeviceInfo& device, std::string_view shader, GroupCount groups);

/// Errors: `invalid_argument` where `given` bytes of constants are not what the shader takes. The block's size leaves
/// out the padding that a C++ structure may have at its end, so a little more is taken.
Expected<void> check_constants(std::string_view shader, std::size_t needed, std::size_t given);

/// Errors: `invalid_argument` for a copy inside one buffer whose ranges overlap.
Expected<void> check_overlap(bool same_buffer, std::uint64_t source_offset, std::uint64_t destination_offset,
                             std::uint64_t bytes);

/// Errors: `invalid_argument` for an image that cannot be.
Expected<void> check_image(const ImageDescription& image);

/// Errors: `invalid_argument` where the level is none of the image's, or its texels do not fit between `offset` and
/// `buffer_bytes`, or `offset` is not aligned.
Expected<void> check_image_copy(const ImageDescription& image, std::uint32_t level, std::uint64_t buffer_bytes,
                                std::uint64_t offset);

/// What a shader takes an image for.
struct ShownImage {
  std::uint32_t dimensions = 2;
  bool cube = false;
  bool arrayed = false;
  bool floats = true;  ///< else integers
};

/// Errors, which begin with `place`: `invalid_argument` for an image without that level, or that is not what the shader
/// takes it for.
Expected<void> check_shown_image(std::string_view place, const ShownImage& shader, const ImageDescription& image,
                                 std::uint32_t level);

/// Errors, which begin with `place`: `invalid_argument` for texels of other than 1 to 4 channels, and for integers
/// where the shader takes floats, or the other way round.
Expected<void> check_texels(std::string_view place, TexelFormat format, bool floats);

/// "2-D image of 64 x 64 x 1 texels of 4 x f32, 3 layers, 1 level", for messages.
std::string describe(const ImageDescription& image);

/// "vulkan:0 (NVIDIA H200)".
std::string label(const DeviceInfo& info);

}  // namespace crosslane
