// Sampled images on the wave machine: filters, addresses, levels and gathers.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "machine/image_run.hpp"
#include "machine/plain_image.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

constexpr auto all_addresses = {TextureAddress::wrap, TextureAddress::mirror, TextureAddress::clamp,
                                TextureAddress::border};

// Levels of 8 × 5, 4 × 2 and 2 × 1 texels of four floats, and points inside, outside and on the edges.
class Sampling : public testing::Test {
 protected:
  Sampling() : texels_(std::size_t{4} * (40 + 8 + 2)), points_(std::size_t{4} * 60) {
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
    std::vector<float> result(std::size_t{4} * 60, 77);
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

}  // namespace
}  // namespace crosslane::test
