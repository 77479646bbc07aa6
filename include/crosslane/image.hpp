// Images (HLSL's textures): texels in one to three dimensions, and how shaders sample them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "crosslane/texel_format.hpp"

namespace crosslane {

/// A level has half the extent of the one before, rounded down, at least 1. In memory the texels of a level stand row
/// after row, then slice after slice, then layer after layer, without gaps.
struct ImageDescription {
  TexelFormat format = {};
  std::uint32_t dimensions = 2;                     ///< 1, 2 or 3
  std::array<std::uint32_t, 3> extent = {1, 1, 1};  ///< texels of level 0; 1 beyond the dimensions
  std::uint32_t layers = 1;                         ///< of an array; a cube has 6 (+X, −X, +Y, −Y, +Z, −Z)
  std::uint32_t levels = 1;
  bool cube = false;  ///< can be shown as a cube: two dimensions, square, layers a multiple of 6
};

/// Texels of one layer of a level, along each dimension.
constexpr std::array<std::uint32_t, 3> level_extent(const ImageDescription& image, std::uint32_t level) {
  std::array<std::uint32_t, 3> extent = image.extent;
  for (auto& texels : extent) {
    texels = level < 32 ? std::max(texels >> level, 1U) : 1U;
  }
  return extent;
}

/// Bytes of all layers of a level.
constexpr std::uint64_t level_bytes(const ImageDescription& image, std::uint32_t level) {
  std::uint64_t bytes = std::uint64_t{size_of(image.format)} * image.layers;
  for (const auto texels : level_extent(image, level)) {
    bytes *= texels;
  }
  return bytes;
}

enum class Filter : std::uint8_t { point, linear };

/// What a coordinate outside of an image reads: HLSL's words.
enum class TextureAddress : std::uint8_t { wrap, mirror, clamp, border };

enum class BorderColor : std::uint8_t { transparent_black, opaque_black, opaque_white };

/// HLSL's SamplerState.
struct Sampler {
  Filter minify = Filter::linear;
  Filter magnify = Filter::linear;
  Filter mips = Filter::point;  ///< between levels
  std::array<TextureAddress, 3> address = {TextureAddress::clamp, TextureAddress::clamp, TextureAddress::clamp};
  BorderColor border = BorderColor::transparent_black;
  float lod_bias = 0;
  float min_lod = 0;
  float max_lod = 1000;
};

}  // namespace crosslane
