// Typed buffers on the wave machine: what every format means to loads and stores, against plain C++.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "machine/half.hpp"
#include "machine/image_run.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

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

}  // namespace
}  // namespace crosslane::test
