// Texels of images on the wave machine: loads, stores and fetches in every shape and level, and the sizes that shaders
// ask for.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/image_run.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

using testing::ElementsAre;

// An image of 32-bit words, each its own number.
std::vector<std::uint32_t> numbered(const ImageDescription& image) {
  std::uint64_t bytes = 0;
  for (std::uint32_t level = 0; level < image.levels; ++level) {
    bytes += level_bytes(image, level);
  }
  std::vector<std::uint32_t> words(bytes / 4);
  std::iota(words.begin(), words.end(), 100U);
  return words;
}

struct ShapeCase {
  std::string type;        // GLSL's, behind "uimage"
  std::string coordinate;  // from ivec3 at
  std::string size;        // an ivec3: x, y, and slices or layers
  ImageDescription image;
};

// One thread for each place of a box that is larger than the images.
constexpr std::array<std::uint32_t, 3> box = {7, 6, 13};

TEST(StorageImages, OfEveryShape) {
  const TexelFormat word{TexelType::u32, 1};
  const std::vector<ShapeCase> cases = {
      {"1D", "at.x", "ivec3(imageSize(source), 1, 1)", {.format = word, .dimensions = 1, .extent = {5, 1, 1}}},
      {"1DArray",
       "at.xz",
       "ivec3(imageSize(source), 1).xzy",
       {.format = word, .dimensions = 1, .extent = {5, 1, 1}, .layers = 3}},
      {"2D", "at.xy", "ivec3(imageSize(source), 1)", {.format = word, .dimensions = 2, .extent = {5, 4, 1}}},
      {"2DArray", "at", "imageSize(source)", {.format = word, .dimensions = 2, .extent = {5, 4, 1}, .layers = 3}},
      {"3D", "at", "imageSize(source)", {.format = word, .dimensions = 3, .extent = {5, 4, 3}}},
      {"Cube",
       "at",
       "ivec3(imageSize(source), 6)",
       {.format = word, .dimensions = 2, .extent = {4, 4, 1}, .layers = 6, .cube = true}},
      {"CubeArray",
       "at",
       "imageSize(source) * ivec3(1, 1, 6)",
       {.format = word, .dimensions = 2, .extent = {4, 4, 1}, .layers = 12, .cube = true}}};
  for (const auto& [type, coordinate, size, image] : cases) {
    const auto spirv = glsl(fmt::format(R"(#version 460
layout(local_size_x = 7, local_size_y = 6, local_size_z = 13) in;
layout(binding = 0, r32ui) uniform uimage{0} source;
layout(binding = 1, r32ui) uniform uimage{0} target;
layout(binding = 2) buffer Out {{ ivec3 reported; uint result[]; }};
void main() {{
  ivec3 at = ivec3(gl_LocalInvocationID);
  uint texel = imageLoad(source, {1}).x;
  result[gl_LocalInvocationIndex] = texel;
  imageStore(target, {1}, uvec4(texel + 1000));
  reported = {2};
}})",
                                        type, coordinate, size));
    // In one layer places beyond the dimensions name the same texel; else the third number is the layer, or the depth.
    const bool third = coordinate == "at" || coordinate == "at.xz";
    const bool second = coordinate != "at.x" && coordinate != "at.xz";
    const auto slices = image.extent[2] * image.layers;
    for (const auto wave_size : wave_sizes) {
      auto source = numbered(image);
      std::vector<std::uint32_t> target(source.size());
      std::vector<std::uint32_t> out(3 + box[0] * box[1] * box[2], 7);
      must(run_with_images(
          spirv, wave_size, {1, 1, 1},
          std::array{ShownMemory{.slot = 0, .bytes = bytes_of(source), .image = image},
                     ShownMemory{.slot = 1, .bytes = bytes_of(target), .image = image}, buffer(2, bytes_of(out))}));
      EXPECT_THAT(std::vector(out.begin(), out.begin() + 3), ElementsAre(image.extent[0], image.extent[1], slices))
          << type;
      for (std::uint32_t thread = 0; thread < box[0] * box[1] * box[2]; ++thread) {
        const auto x = thread % box[0];
        const auto y = second ? thread / box[0] % box[1] : 0;
        const auto z = third ? thread / box[0] / box[1] : 0;
        const bool inside = x < image.extent[0] && y < image.extent[1] && z < slices;
        const auto expected = inside ? source[(z * image.extent[1] + y) * image.extent[0] + x] : 0;
        ASSERT_EQ(out[3 + thread], expected) << type << ", wave " << wave_size << ": " << x << ", " << y << ", " << z;
      }
      for (std::size_t i = 0; i < source.size(); ++i) {
        ASSERT_EQ(target[i], source[i] + 1000) << type;
      }
    }
  }
}

const ImageDescription mipmapped{.format = {TexelType::u32, 1}, .extent = {9, 6, 1}, .layers = 2, .levels = 4};

TEST(SampledImages, AreFetchedAtEveryLevelWithOffsets) {
  const auto spirv = glsl(R"(#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 12, local_size_y = 7, local_size_z = 10) in;
layout(binding = 0) uniform utexture2DArray source;
layout(binding = 1) buffer Out { ivec4 sizes[5]; uint result[]; };
void main() {
  ivec3 at = ivec3(gl_LocalInvocationID.xy, gl_LocalInvocationID.z & 1);
  int level = int(gl_LocalInvocationID.z) / 2;
  result[gl_LocalInvocationIndex] = texelFetchOffset(source, at, level, ivec2(-2, 1)).x;
  sizes[level] = ivec4(textureSize(source, level), textureQueryLevels(source));
})");
  for (const auto wave_size : wave_sizes) {
    auto source = numbered(mipmapped);
    std::vector<std::uint32_t> out(20 + 12 * 7 * 10, 7);
    must(run_with_images(
        spirv, wave_size, {1, 1, 1},
        std::array{ShownMemory{.slot = 0, .bytes = bytes_of(source), .image = mipmapped}, buffer(1, bytes_of(out))}));
    std::size_t first = 0;
    for (std::uint32_t level = 0; level < 5; ++level) {
      const auto width = std::max(9U >> level, 1U);
      const auto height = std::max(6U >> level, 1U);
      const bool there = level < 4;
      const auto sizes = out.begin() + std::ptrdiff_t{4} * level;
      EXPECT_THAT(std::vector(sizes, sizes + 4), ElementsAre(there ? width : 0, there ? height : 0, there ? 2 : 0, 4));
      for (std::uint32_t thread = 0; thread < 12 * 7 * 2; ++thread) {
        const auto x = static_cast<int>(thread % 12) - 2;
        const auto y = static_cast<int>(thread / 12 % 7) + 1;
        const auto layer = thread / 84;
        const bool inside = there && x >= 0 && x < static_cast<int>(width) && y < static_cast<int>(height);
        const auto texel = (layer * height + static_cast<unsigned>(y)) * width + static_cast<unsigned>(x);
        ASSERT_EQ(out[20 + level * 168 + thread], inside ? source[first + texel] : 0)
            << "wave " << wave_size << ", level " << level << ": " << x << ", " << y << ", " << layer;
      }
      first += std::size_t{width} * height * 2;
    }
  }
}

}  // namespace
}  // namespace crosslane::test
