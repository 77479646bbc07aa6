// Typed buffers, images and samplers as handlers see them, and what they read and sample.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "crosslane/image.hpp"

namespace crosslane::machine {

/// A typed buffer is an image of one dimension. A sampler alone has no texels.
struct ImageView {
  ImageDescription shape = {};  ///< of what is shown: its level 0 is the first one that the shader sees
  std::byte* texels = nullptr;  ///< laid out as ImageDescription says
  Sampler sampler = {};
};

/// Observers see a texel as parts side by side of that many bytes each, a power of two and 4 at most.
constexpr std::uint32_t texel_part_bytes(TexelFormat format) {
  const auto bytes = size_of(format);
  return std::min(std::has_single_bit(bytes) ? bytes : size_of(format.type), 4U);
}

/// Where a texel is. Numbers outside of the image are allowed.
struct TexelPlace {
  std::array<std::int64_t, 3> at = {};
  std::int64_t layer = 0;  ///< of cubes 6 × cube + face
  std::int64_t level = 0;
};

/// Bytes from the view's first texel to this one; `outside` where the image has none.
std::uint64_t texel_offset(const ImageView& view, const TexelPlace& place);
constexpr std::uint64_t outside = ~std::uint64_t{0};

/// Red, green, blue, alpha. T is float for formats of floats and normalised numbers, else std::uint64_t, which holds
/// signed ones extended.
template <typename T>
using Texel = std::array<T, 4>;

/// Channels that the format lacks are 0, alpha 1; outside of the image all are 0.
template <typename T>
Texel<T> read_texel(const ImageView& view, const TexelPlace& place);

/// Channels that the format lacks are dropped, and so is what lies outside of the image.
template <typename T>
void write_texel(const ImageView& view, const TexelPlace& place, const Texel<T>& texel);

/// What a sampling instruction says besides image and sampler.
struct SamplePoint {
  std::array<float, 3> at = {0.5F, 0.5F, 0.5F};  ///< 0 to 1 across the image; beyond its dimensions 0.5
  float layer = 0;
  float lod = 0;
  std::array<std::int32_t, 3> offset = {};  ///< texels
};

template <typename T>
Texel<T> sample(const ImageView& view, const Sampler& sampler, const SamplePoint& point);

/// One channel of the four texels that linear filtering of two dimensions would take: (0, 1), (1, 1), (1, 0), (0, 0).
template <typename T>
Texel<T> gather(const ImageView& view, const Sampler& sampler, const SamplePoint& point, std::uint32_t channel);

}  // namespace crosslane::machine
