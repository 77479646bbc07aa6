// Images and typed buffers on the wave machine, against plain C++.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/half.hpp"
#include "machine/image_run.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

using testing::ElementsAre;

constexpr std::array<std::uint32_t, 3> wave_sizes = {1, 4, 32};

template <typename T>
std::span<std::byte> bytes_of(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

ShownMemory buffer(std::uint32_t slot, std::span<std::byte> bytes) { return {.slot = slot, .bytes = bytes}; }

ShownMemory typed(std::uint32_t slot, std::span<std::byte> bytes, TexelFormat format, std::uint32_t element = 0) {
  const auto texels = static_cast<std::uint32_t>(bytes.size() / size_of(format));
  return {.slot = slot,
          .element = element,
          .bytes = bytes,
          .image = {.format = format, .dimensions = 1, .extent = {texels, 1, 1}}};
}

// A format as GLSL and as this library names it.
struct NamedFormat {
  std::string glsl;
  TexelFormat format;
};

std::vector<NamedFormat> formats() {
  std::vector<NamedFormat> all;
  const std::vector<std::pair<std::string, TexelType>> types = {
      {"8ui", TexelType::u8},         {"8i", TexelType::i8},      {"16ui", TexelType::u16},
      {"16i", TexelType::i16},        {"32ui", TexelType::u32},   {"32i", TexelType::i32},
      {"16f", TexelType::f16},        {"32f", TexelType::f32},    {"8", TexelType::unorm8},
      {"8_snorm", TexelType::snorm8}, {"16", TexelType::unorm16}, {"16_snorm", TexelType::snorm16}};
  for (const auto& [suffix, type] : types) {
    all.push_back({"r" + suffix, {type, 1}});
    all.push_back({"rg" + suffix, {type, 2}});
    all.push_back({"rgba" + suffix, {type, 4}});
  }
  return all;
}

std::string prefix(TexelType type) {
  const bool is_signed = type == TexelType::i8 || type == TexelType::i16 || type == TexelType::i32;
  return type > TexelType::i64 ? "" : is_signed ? "i" : "u";
}

// The 32 bits that a shader sees of one channel.
std::uint32_t decoded(TexelType type, const std::byte* from) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, size_of(type));
  const auto number = [](double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); };
  switch (type) {
    case TexelType::i8:
      return static_cast<std::uint32_t>(static_cast<std::int8_t>(bits));
    case TexelType::i16:
      return static_cast<std::uint32_t>(static_cast<std::int16_t>(bits));
    case TexelType::f16:
      return number(to_double(Half{static_cast<std::uint16_t>(bits)}));
    case TexelType::unorm8:
      return number(static_cast<float>(bits) / 255.0F);
    case TexelType::snorm8:
      return number(std::max(static_cast<float>(static_cast<std::int8_t>(bits)) / 127.0F, -1.0F));
    case TexelType::unorm16:
      return number(static_cast<float>(bits) / 65535.0F);
    case TexelType::snorm16:
      return number(std::max(static_cast<float>(static_cast<std::int16_t>(bits)) / 32767.0F, -1.0F));
    default:
      return static_cast<std::uint32_t>(bits);
  }
}

// What a store of these 32 bits leaves in memory.
std::uint64_t encoded(TexelType type, std::uint32_t bits) {
  const auto value = static_cast<double>(std::bit_cast<float>(bits));
  const auto normalised = [value](double most, double least) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(std::clamp(value, least, 1.0) * most)));
  };
  switch (type) {
    case TexelType::f16:
      return to_half(value).bits;
    case TexelType::unorm8:
      return normalised(255, 0);
    case TexelType::snorm8:
      return normalised(127, -1) & 0xFFU;
    case TexelType::unorm16:
      return normalised(65535, 0);
    case TexelType::snorm16:
      return normalised(32767, -1) & 0xFFFFU;
    default:
      return size_of(type) == 4 ? bits : bits & ((1U << (8 * size_of(type))) - 1U);
  }
}

bool both_nan(TexelType type, std::uint32_t a, std::uint32_t b) {
  return type > TexelType::i64 && std::isnan(std::bit_cast<float>(a)) && std::isnan(std::bit_cast<float>(b));
}

constexpr std::uint32_t texels = 70;

TEST(TypedBuffers, EveryFormatIsReadAndOutsideIsZero) {
  std::mt19937 random(1);
  for (const auto& [glsl_name, format] : formats()) {
    const auto kind = prefix(format.type);
    const auto spirv = glsl(fmt::format(R"(#version 460
layout(local_size_x = 36) in;
layout(binding = 0, {0}) uniform readonly {1}imageBuffer source;
layout(binding = 1) buffer Out {{ {1}vec4 result[]; }};
void main() {{
  int at = int(gl_GlobalInvocationID.x);
  result[at] = imageLoad(source, at);
}})",
                                        glsl_name, kind));
    std::vector<std::uint8_t> source(std::size_t{texels} * size_of(format));
    std::ranges::generate(source, [&] { return static_cast<std::uint8_t>(random()); });
    for (const auto wave_size : wave_sizes) {
      std::vector<std::uint32_t> result(std::size_t{4} * 72, 0xABCDEF);
      must(run_with_images(spirv, wave_size, {2, 1, 1},
                           std::array{typed(0, bytes_of(source), format), buffer(1, bytes_of(result))}));
      for (std::uint32_t texel = 0; texel < 72; ++texel) {
        for (std::uint32_t channel = 0; channel < 4; ++channel) {
          const auto one = kind.empty() ? 0x3F800000U : 1U;
          std::uint32_t expected = channel == 3 ? one : 0;
          if (texel >= texels) {
            expected = 0;
          } else if (channel < format.channels) {
            expected = decoded(format.type, bytes_of(source).data() + std::size_t{texel} * size_of(format) +
                                                std::size_t{channel} * size_of(format.type));
          }
          const auto actual = result[std::size_t{4} * texel + channel];
          ASSERT_TRUE(actual == expected || both_nan(format.type, actual, expected))
              << glsl_name << ", wave " << wave_size << ", texel " << texel << "." << channel << ": " << actual
              << " instead of " << expected;
        }
      }
    }
  }
}

TEST(TypedBuffers, EveryFormatIsWrittenAndOutsideIsDropped) {
  std::mt19937 random(2);
  for (const auto& [glsl_name, format] : formats()) {
    const auto kind = prefix(format.type);
    const auto spirv = glsl(fmt::format(R"(#version 460
layout(local_size_x = 36) in;
layout(binding = 0, {0}) uniform writeonly {1}imageBuffer target;
layout(binding = 1) buffer In {{ {1}vec4 source[]; }};
void main() {{
  int at = int(gl_GlobalInvocationID.x);
  if (at % 5 != 1) imageStore(target, at - 1, source[at]);
}})",
                                        glsl_name, kind));
    // Numbers of all sizes; normalised formats clamp those beyond 1.
    std::vector<std::uint32_t> source(std::size_t{4} * 72);
    std::ranges::generate(source, [&] {
      const double value = std::ldexp(static_cast<double>(random() % 4096) - 2048, -static_cast<int>(random() % 14));
      return kind.empty() ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                          : static_cast<std::uint32_t>(random());
    });
    for (const auto wave_size : wave_sizes) {
      // The bytes behind the buffer are there and must stay.
      std::vector<std::uint8_t> target(std::size_t{72} * size_of(format), 0x5A);
      const auto shown = bytes_of(target).first(std::size_t{60} * size_of(format));
      must(run_with_images(spirv, wave_size, {2, 1, 1},
                           std::array{typed(0, shown, format), buffer(1, bytes_of(source))}));
      for (std::uint32_t texel = 0; texel < 72; ++texel) {
        for (std::uint32_t channel = 0; channel < format.channels; ++channel) {
          std::uint64_t actual = 0;
          std::memcpy(
              &actual,
              target.data() + std::size_t{texel} * size_of(format) + std::size_t{channel} * size_of(format.type),
              size_of(format.type));
          const auto written = texel < 60 && (texel + 1) % 5 != 1;
          const auto expected = written ? encoded(format.type, source[std::size_t{4} * (texel + 1) + channel])
                                        : 0x5A5A5A5A5A5A5A5AU >> (64 - 8 * size_of(format.type));
          ASSERT_EQ(actual, expected) << glsl_name << ", wave " << wave_size << ", texel " << texel << "." << channel;
        }
      }
    }
  }
}

TEST(TypedBuffers, WordsOf64Bits) {
  const auto spirv = glsl(R"(#version 460
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 40) in;
layout(binding = 0, r64ui) uniform u64imageBuffer texels;
layout(binding = 1, r64i) uniform i64imageBuffer doubled;
void main() {
  int at = int(gl_LocalInvocationIndex);
  imageStore(doubled, at, i64vec4(i64vec2(imageLoad(texels, at).xw) * 2 - 1, 0, 0));
  imageAtomicAdd(texels, 0, 1ul << 40);
})");
  for (const auto wave_size : wave_sizes) {
    std::vector<std::uint64_t> source(32);
    std::iota(source.begin(), source.end(), std::uint64_t{1} << 50U);
    std::vector<std::int64_t> doubled(32);
    must(run_with_images(
        spirv, wave_size, {1, 1, 1},
        std::array{typed(0, bytes_of(source), {TexelType::u64, 1}), typed(1, bytes_of(doubled), {TexelType::i64, 1})}));
    EXPECT_EQ(source[0], (std::uint64_t{1} << 50U) + (std::uint64_t{40} << 40U));
    for (std::size_t at = 1; at < doubled.size(); ++at) {
      EXPECT_EQ(doubled[at], static_cast<std::int64_t>(2 * source[at] - 1));
    }
  }
}

TEST(TypedBuffers, AtomicsCountAndThoseOutsideAreDropped) {
  const auto spirv = glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 0, r32ui) uniform uimageBuffer counters[3];
layout(binding = 1, r32i) uniform iimageBuffer extremes;
layout(binding = 2) buffer Out { uint before[]; };
void main() {
  uint thread = gl_GlobalInvocationID.x;
  before[thread] = imageAtomicAdd(counters[nonuniformEXT(thread % 4)], int(thread % 5), 1u + thread % 2);
  imageAtomicMin(extremes, 0, 10 - int(thread));
  imageAtomicMax(extremes, 1, int(thread));
  imageAtomicCompSwap(extremes, 2, 0, 77);
  imageAtomicExchange(extremes, 9, 5);
})");
  for (const auto wave_size : wave_sizes) {
    std::array<std::vector<std::uint32_t>, 3> counters;
    counters.fill(std::vector<std::uint32_t>(4));
    std::vector<std::int32_t> extremes(3);
    std::vector<std::uint32_t> before(128, 9999);
    must(run_with_images(spirv, wave_size, {2, 1, 1},
                         std::array{typed(0, bytes_of(counters[0]), {TexelType::u32, 1}, 0),
                                    typed(0, bytes_of(counters[1]), {TexelType::u32, 1}, 1),
                                    typed(0, bytes_of(counters[2]), {TexelType::u32, 1}, 2),
                                    typed(1, bytes_of(extremes), {TexelType::i32, 1}), buffer(2, bytes_of(before))}));
    std::array<std::array<std::uint32_t, 4>, 3> expected{};
    for (std::uint32_t thread = 0; thread < 128; ++thread) {
      const bool inside = thread % 4 < 3 && thread % 5 < 4;
      EXPECT_EQ(before[thread], inside ? expected.at(thread % 4).at(thread % 5) : 0) << "thread " << thread;
      if (inside) {
        expected.at(thread % 4).at(thread % 5) += 1 + thread % 2;
      }
    }
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_THAT(counters.at(i), testing::ElementsAreArray(expected.at(i)));
    }
    EXPECT_THAT(extremes, ElementsAre(-117, 127, 77));
  }
}

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

TEST(StorageImages, AtomicsReachTheTexel) {
  const ImageDescription image{.format = {TexelType::u32, 1}, .extent = {4, 3, 1}, .layers = 2};
  const auto spirv = glsl(R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform uimage2DArray counts;
void main() { imageAtomicAdd(counts, ivec3(gl_LocalInvocationID.xy - 1, gl_LocalInvocationID.x & 1), 5); })");
  for (const auto wave_size : wave_sizes) {
    std::vector<std::uint32_t> counts(24);
    must(run_with_images(spirv, wave_size, {3, 1, 1},
                         std::array{ShownMemory{.slot = 0, .bytes = bytes_of(counts), .image = image}}));
    for (std::uint32_t i = 0; i < 24; ++i) {
      EXPECT_EQ(counts[i], (i % 4 + 1) % 2 == i / 12 ? 15U : 0U) << i;
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
      EXPECT_THAT(std::vector(out.begin() + 4 * level, out.begin() + 4 * level + 4),
                  ElementsAre(there ? width : 0, there ? height : 0, there ? 2 : 0, 4));
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

// Where a coordinate leads in a row of `count` texels, by walking; −1 for the border.
int walked(TextureAddress address, int at, int count) {
  switch (address) {
    case TextureAddress::wrap:
      for (; at < 0; at += count) {
      }
      return at % count;
    case TextureAddress::mirror:
      for (;;) {
        if (at < 0) {
          at = -1 - at;
        } else if (at >= count) {
          at = 2 * count - 1 - at;
        } else {
          return at;
        }
      }
    case TextureAddress::clamp:
      return at < 0 ? 0 : at >= count ? count - 1 : at;
    default:
      return at < 0 || at >= count ? -1 : at;
  }
}

// One channel of a plain two-dimensional image, sampled in double precision.
struct PlainImage {
  std::uint32_t width;
  std::uint32_t height;
  const float* first;  // texels of four channels
  TextureAddress address;

  [[nodiscard]] double texel(int x, int y, std::size_t channel) const {
    const int column = walked(address, x, static_cast<int>(width));
    const int row = walked(address, y, static_cast<int>(height));
    if (column < 0 || row < 0) {
      return 1;  // the tests' border is white
    }
    return static_cast<double>(
        first[4 * (static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column)) + channel]);
  }

  [[nodiscard]] double sampled(double u, double v, Filter filter, std::array<int, 2> offset,
                               std::size_t channel) const {
    const double x = u * width;
    const double y = v * height;
    if (filter == Filter::point) {
      return texel(static_cast<int>(std::floor(x)) + offset[0], static_cast<int>(std::floor(y)) + offset[1], channel);
    }
    const double left = std::floor(x - 0.5);
    const double top = std::floor(y - 0.5);
    const double a = x - 0.5 - left;
    const double b = y - 0.5 - top;
    const int i = static_cast<int>(left) + offset[0];
    const int j = static_cast<int>(top) + offset[1];
    return (1 - a) * (1 - b) * texel(i, j, channel) + a * (1 - b) * texel(i + 1, j, channel) +
           (1 - a) * b * texel(i, j + 1, channel) + a * b * texel(i + 1, j + 1, channel);
  }
};

constexpr auto all_addresses = {TextureAddress::wrap, TextureAddress::mirror, TextureAddress::clamp,
                                TextureAddress::border};

// Levels of 8 × 5, 4 × 2 and 2 × 1 texels of four floats, and points inside, outside and on the edges.
class Sampling : public testing::Test {
 protected:
  Sampling() : texels_(4 * (40 + 8 + 2)), points_(4 * 60) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> any(-4, 4);
    std::ranges::generate(texels_, [&] { return any(random); });
    for (std::size_t point = 0; point < 60; ++point) {
      // No point lies within rounding of the edge between two texels.
      points_[4 * point] = (std::floor(any(random) * 20) + 0.37F) / 32;
      points_[4 * point + 1] = (std::floor(any(random) * 20) + 0.41F) / 20;
      points_[4 * point + 2] = std::floor(any(random)) + 0.25F;
    }
  }

  std::vector<float> run(const std::vector<std::uint32_t>& spirv, std::uint32_t wave_size, const Sampler& sampler) {
    std::vector<float> result(4 * 60, 77);
    must(run_with_images(
        spirv, wave_size, {1, 1, 1},
        std::array{ShownMemory{.slot = 0, .bytes = bytes_of(texels_), .image = image_, .sampler = sampler},
                   ShownMemory{.slot = 1, .bytes = {}, .image = {}, .sampler = sampler}, buffer(2, bytes_of(points_)),
                   buffer(3, bytes_of(result))}));
    return result;
  }

  [[nodiscard]] PlainImage level(std::uint32_t number, TextureAddress address) const {
    constexpr std::array<std::size_t, 3> first = {0, 160, 192};
    return {8U >> number, std::max(5U >> number, 1U), texels_.data() + first.at(number), address};
  }

  ImageDescription image_{.format = {TexelType::f32, 4}, .extent = {8, 5, 1}, .levels = 3};
  std::vector<float> texels_;
  std::vector<float> points_;
};

constexpr const char* sampling_head = R"(#version 460
layout(local_size_x = 60) in;
layout(binding = 0) uniform texture2D image;
layout(binding = 1) uniform sampler how;
layout(binding = 2) buffer In { vec4 points[]; };
layout(binding = 3) buffer Out { vec4 result[]; };
)";

TEST_F(Sampling, EveryFilterAndAddressAtLevelZero) {
  const auto plain = glsl(std::string(sampling_head) + R"(void main() {
    uint i = gl_LocalInvocationIndex;
    result[i] = textureLod(sampler2D(image, how), points[i].xy, 0);
  })");
  const auto moved = glsl(std::string(sampling_head) + R"(void main() {
    uint i = gl_LocalInvocationIndex;
    result[i] = textureLodOffset(sampler2D(image, how), points[i].xy, 0, ivec2(3, -2));
  })");
  for (const auto address : all_addresses) {
    for (const auto filter : {Filter::point, Filter::linear}) {
      const Sampler sampler{.minify = Filter::point,
                            .magnify = filter,
                            .address = {address, address, address},
                            .border = BorderColor::opaque_white};
      const auto expected = level(0, address);
      for (const auto wave_size : wave_sizes) {
        for (const auto offset : {std::array{0, 0}, std::array{3, -2}}) {
          const auto result = run(offset[0] == 0 ? plain : moved, wave_size, sampler);
          for (std::size_t i = 0; i < result.size(); ++i) {
            const auto u = static_cast<double>(points_[i / 4 * 4]);
            const auto v = static_cast<double>(points_[i / 4 * 4 + 1]);
            ASSERT_NEAR(static_cast<double>(result[i]), expected.sampled(u, v, filter, offset, i % 4), 1e-4)
                << "address " << static_cast<int>(address) << ", filter " << static_cast<int>(filter) << ", point " << u
                << ", " << v << ", offset " << offset[0];
          }
        }
      }
    }
  }
}

TEST_F(Sampling, LevelsAreChosenAndMixed) {
  const auto spirv = glsl(std::string(sampling_head) + R"(void main() {
    uint i = gl_LocalInvocationIndex;
    result[i] = textureLod(sampler2D(image, how), points[i].xy, points[i].z);
  })");
  const auto clamp = TextureAddress::clamp;
  for (const auto mips : {Filter::point, Filter::linear}) {
    const Sampler sampler{.minify = Filter::linear,
                          .magnify = Filter::point,
                          .mips = mips,
                          .lod_bias = 0.375F,
                          .min_lod = -1,
                          .max_lod = 1.75F};
    for (const auto wave_size : wave_sizes) {
      const auto result = run(spirv, wave_size, sampler);
      for (std::size_t i = 0; i < result.size(); ++i) {
        const auto u = static_cast<double>(points_[i / 4 * 4]);
        const auto v = static_cast<double>(points_[i / 4 * 4 + 1]);
        const double lod = std::clamp(static_cast<double>(points_[i / 4 * 4 + 2]) + 0.375, -1.0, 1.75);
        const auto filter = lod <= 0 ? Filter::point : Filter::linear;
        const double inside = std::max(lod, 0.0);
        const auto at_level = [&](int number) {
          return level(static_cast<std::uint32_t>(number), clamp).sampled(u, v, filter, {0, 0}, i % 4);
        };
        double expected = at_level(static_cast<int>(std::lround(inside)));
        if (mips == Filter::linear) {
          const double low = std::floor(inside);
          expected = (1 - (inside - low)) * at_level(static_cast<int>(low)) +
                     (inside - low) * at_level(static_cast<int>(std::min(low + 1, 2.0)));
        }
        ASSERT_NEAR(static_cast<double>(result[i]), expected, 1e-4) << "lod " << lod << ", point " << u << ", " << v;
      }
    }
  }
}

TEST_F(Sampling, FourTexelsAreGathered) {
  const auto spirv = glsl(std::string(sampling_head) + R"(void main() {
    uint i = gl_LocalInvocationIndex;
    result[i] = textureGather(sampler2D(image, how), points[i].xy, 2);
  })");
  for (const auto address : all_addresses) {
    const Sampler sampler{.address = {address, address, address}, .border = BorderColor::opaque_white};
    const auto plain = level(0, address);
    for (const auto wave_size : wave_sizes) {
      const auto result = run(spirv, wave_size, sampler);
      for (std::size_t point = 0; point < 60; ++point) {
        const int i = static_cast<int>(std::floor(static_cast<double>(points_[4 * point]) * 8 - 0.5));
        const int j = static_cast<int>(std::floor(static_cast<double>(points_[4 * point + 1]) * 5 - 0.5));
        EXPECT_EQ(result[4 * point], static_cast<float>(plain.texel(i, j + 1, 2)));
        EXPECT_EQ(result[4 * point + 1], static_cast<float>(plain.texel(i + 1, j + 1, 2)));
        EXPECT_EQ(result[4 * point + 2], static_cast<float>(plain.texel(i + 1, j, 2)));
        EXPECT_EQ(result[4 * point + 3], static_cast<float>(plain.texel(i, j, 2)));
      }
    }
  }
}

TEST(CombinedSamplers, InAnArrayAreChosenByEachLane) {
  const auto spirv = glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 40) in;
layout(binding = 0) uniform sampler3D images[2];
layout(binding = 1) buffer Out { float result[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  result[i] = textureLod(images[nonuniformEXT(i % 3)], vec3(0.5, (float(i % 4) + 0.5) / 4, 0.75), 0).x;
})");
  const ImageDescription image{.format = {TexelType::f32, 1}, .dimensions = 3, .extent = {2, 4, 2}};
  for (const auto wave_size : wave_sizes) {
    std::vector<float> first(16);
    std::iota(first.begin(), first.end(), 0.0F);
    std::vector<float> second(16);
    std::iota(second.begin(), second.end(), 100.0F);
    std::vector<float> result(40);
    const Sampler linear{};
    must(run_with_images(
        spirv, wave_size, {1, 1, 1},
        std::array{ShownMemory{.slot = 0, .element = 0, .bytes = bytes_of(first), .image = image, .sampler = linear},
                   ShownMemory{.slot = 0, .element = 1, .bytes = bytes_of(second), .image = image, .sampler = linear},
                   buffer(1, bytes_of(result))}));
    for (std::uint32_t i = 0; i < 40; ++i) {
      // Slice 1, row i % 4, the mean of both columns; no image for the third.
      const float mean = 8.5F + 2 * static_cast<float>(i % 4);
      EXPECT_EQ(result[i], i % 3 == 2 ? 0 : i % 3 == 1 ? 100 + mean : mean) << i;
    }
  }
}

TEST(Refusals, NameTheInstructionAndItsLine) {
  const auto refused = [](std::string_view declaration, std::string_view expression, std::string_view part) {
    const auto spirv =
        glsl(fmt::format("#version 460\nlayout(binding = 0) uniform {};\nlayout(binding = 1) buffer Out "
                         "{{ vec4 result; }};\nvoid main() {{\n  result = {};\n}}\n",
                         declaration, expression));
    return fails(run_with_images(spirv, 4, {1, 1, 1}, {}), ErrorCode::unsupported, part);
  };
  EXPECT_TRUE(refused("samplerCube image", "textureLod(image, vec3(1), 0)", "sampling of cubes"));
  EXPECT_TRUE(refused("samplerCube image", "textureLod(image, vec3(1), 0)", "OpImageSampleExplicitLod"));
  EXPECT_TRUE(refused("samplerCube image", "textureLod(image, vec3(1), 0)", "test.comp:5"));
  EXPECT_TRUE(refused("sampler2D image", "textureGrad(image, vec2(1), vec2(1), vec2(1))", "Grad"));
  EXPECT_TRUE(refused("sampler2DMS image", "texelFetch(image, ivec2(1), 0)", "multisampled"));
  EXPECT_TRUE(refused("sampler2DShadow image", "vec4(textureLod(image, vec3(1), 0))", "OpImageSampleDrefExplicitLod"));
}

}  // namespace
}  // namespace crosslane::test
