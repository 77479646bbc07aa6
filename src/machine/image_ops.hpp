// Handlers that read, write and sample images and typed buffers.
//
// Operands of all: a the image as a fat pointer, no_register for the image of root `aux`; imm says by ImageArguments
// which rows of 32 bits stand side by side from b on: coordinates, layer, level of detail, offset in texels.
#pragma once

#include <cstdint>

#include "machine/element.hpp"
#include "machine/op.hpp"

namespace crosslane::machine {

/// Packed into Operation::imm.
struct ImageArguments {
  std::uint32_t dimensions = 1;
  bool layer = false;
  bool lod = false;
  bool offset = false;
  std::uint32_t channel = 0;  ///< that is gathered

  [[nodiscard]] constexpr std::uint32_t packed() const {
    return dimensions | (layer ? 4U : 0U) | (lod ? 8U : 0U) | (offset ? 16U : 0U) | (channel << 8U);
  }
  static constexpr ImageArguments unpack(std::uint32_t bits) {
    return {bits & 3U, (bits & 4U) != 0, (bits & 8U) != 0, (bits & 16U) != 0, bits >> 8U};
  }
};

/// dst (`count` components of `element`) = texel at integer coordinates.
Handler image_read_handler(Element element);
/// texel = c, `count` components.
Handler image_write_handler(Element element);
/// dst (`count` components) = texel sampled at float coordinates, with the sampler c (a fat pointer) or of root
/// `extra`.
Handler image_sample_handler(Element element);
/// dst (4 components) = one channel of four texels; sampler as above.
Handler image_gather_handler(Element element);

/// dst (`count` components) = size along each dimension, then layers (`extra` of them count as one).
Handler image_size_handler();
/// dst = levels.
Handler image_levels_handler();

/// dst = offset of the texel in the image's root, 32 bits; or, where `fat`, a fat pointer. Outside of the image, or
/// where texels have not `extra` bytes, beyond everything.
Handler texel_pointer_handler(bool fat);

}  // namespace crosslane::machine
