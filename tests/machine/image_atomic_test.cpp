// Atomics on texels of typed buffers and images on the wave machine.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/image_run.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

using testing::ElementsAre;

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

}  // namespace
}  // namespace crosslane::test
