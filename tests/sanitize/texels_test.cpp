// Texels of images and typed buffers: races on them, reads outside, values that are undefined.
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/glsl.hpp"
#include "crosslane/check.hpp"
#include "sanitize/check_shader.hpp"
#include "support/expected.hpp"

namespace crosslane::sanitize_tests {
namespace {

using test::faults;
using test::must;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

struct TexelCase {
  std::string body;  ///< `i` is the thread in its group, `g` the group
  std::string format = "r32ui";
  TexelFormat texels = {TexelType::u32, 1};
  GroupCount groups = {1, 1, 1};
  Rules rules = Rules::vulkan;
  std::string qualifiers = {};
};

/// image is 16 × 4 texels, line a typed buffer of 64, words[] a buffer.
CheckReport check_texels(const TexelCase& one) {
  const bool floats = one.texels.type == TexelType::f32 || one.texels.type == TexelType::unorm8;
  const std::string letter = floats ? "" : "u";
  compile::GlslRequest source;
  source.file = "texels.comp";
  source.source =
      "#version 460\nlayout(local_size_x = 64) in;\n"
      "layout(binding = 0, " +
      one.format + ") uniform " + one.qualifiers + " " + letter +
      "image2D picture;\n"
      "layout(binding = 1, " +
      one.format + ") uniform " + one.qualifiers + " " + letter +
      "imageBuffer line;\n"
      "layout(binding = 2) buffer Words { uint words[]; };\n"
      "void main() {\nconst uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.x;\n"
      "const ivec2 at = ivec2(i % 16, i / 16);\n" +
      one.body + "\n}\n";
  const auto words = must(compile::compile_glsl(source)).words;
  const ImageDescription image{.format = one.texels, .extent = {16, 4, 1}};
  CheckRequest request{.spirv = words, .name = "texels.comp", .groups = one.groups};
  request.resources = {{.name = "picture",
                        .slot = 0,
                        .bytes = std::vector<std::byte>(level_bytes(image, 0)),
                        .image = image,
                        .output = true},
                       {.name = "line",
                        .slot = 1,
                        .bytes = std::vector<std::byte>(std::size_t{64} * size_of(one.texels)),
                        .texels = one.texels,
                        .output = true},
                       {.name = "words", .slot = 2, .bytes = std::vector<std::byte>(1024), .output = true}};
  return must(check(request, {.wave_sizes = {4, 32}, .rules = one.rules}));
}

TEST(Texels, EachThreadItsOwnIsSilent) {
  for (const auto& [format, texels, value] : {std::tuple{"r32ui", TexelFormat{TexelType::u32, 1}, "uvec4(i)"},
                                              std::tuple{"r8ui", TexelFormat{TexelType::u8, 1}, "uvec4(i)"},
                                              std::tuple{"rgba32f", TexelFormat{TexelType::f32, 4}, "vec4(i)"},
                                              std::tuple{"rgba8", TexelFormat{TexelType::unorm8, 4}, "vec4(i) / 64"}}) {
    const std::string store =
        std::string("imageStore(picture, at, ") + value + "); imageStore(line, int(i), " + value + ");";
    EXPECT_THAT(
        faults(check_texels(
            {.body = store + "words[i] = uint(imageLoad(picture, at).x);", .format = format, .texels = texels})),
        IsEmpty())
        << format;
  }
}

TEST(Texels, ANeighboursTexelRaces) {
  const auto image =
      check_texels({.body = "imageStore(picture, at, uvec4(i)); words[i] = imageLoad(picture, at ^ 1).x;"});
  EXPECT_THAT(faults(image), Contains("global-race error"));
  EXPECT_TRUE(std::ranges::any_of(image.findings, [](const Finding& finding) {
    return finding.message.find("image 'picture'") != std::string::npos;
  }));
  EXPECT_THAT(
      faults(check_texels({.body = "imageStore(line, int(i), uvec4(i)); words[i] = imageLoad(line, int(i ^ 40)).x;"})),
      Contains("global-race error"));
  // One byte each: the neighbour's is another place.
  EXPECT_THAT(faults(check_texels({.body = "imageStore(picture, at / ivec2(2, 1), uvec4(i));",
                                   .format = "r8ui",
                                   .texels = {TexelType::u8, 1}})),
              Contains("global-race error"));
}

TEST(Texels, TheSameValueInOneTexelIsANote) {
  EXPECT_THAT(faults(check_texels({.body = "imageStore(picture, ivec2(0), uvec4(7));"})),
              ElementsAre("global-race note"));
}

TEST(Texels, ABarrierOrdersThem) {
  EXPECT_THAT(faults(check_texels(
                  {.body = "imageStore(picture, at, uvec4(i)); memoryBarrierImage(); barrier(); memoryBarrierImage();\n"
                           "words[i] = imageLoad(picture, at ^ 1).x;"})),
              IsEmpty());
}

TEST(Texels, OtherGroupsRace) {
  EXPECT_THAT(faults(check_texels({.body = "imageStore(picture, at, uvec4(g));", .groups = {2, 1, 1}})),
              Contains("global-race error"));
}

TEST(Texels, AtomicsAndPlainAccessesMeet) {
  EXPECT_THAT(faults(check_texels({.body = "imageAtomicAdd(picture, ivec2(0), 1u);"})), IsEmpty());
  EXPECT_THAT(
      faults(check_texels(
          {.body = "imageAtomicAdd(picture, ivec2(0), 1u); if (i == 63) imageStore(picture, ivec2(0), uvec4(7));"})),
      Contains("global-race error"));
}

TEST(Texels, ReadsOutsideMatterWhereTheyAreUsed) {
  for (const std::string read : {"imageLoad(picture, at + ivec2(1, 0)).x", "imageLoad(line, int(i) + 1).x"}) {
    EXPECT_THAT(faults(check_texels({.body = "words[i] = " + read + ";"})), ElementsAre("buffer-out-of-bounds error"))
        << read;
    EXPECT_THAT(faults(check_texels({.body = "const uint v = " + read + "; words[i] = at.x < 15 ? v : 0;"})), IsEmpty())
        << read;
    EXPECT_THAT(faults(check_texels({.body = "words[i] = " + read + ";", .rules = Rules::d3d12})),
                ElementsAre("buffer-out-of-bounds note"))
        << read;
  }
}

TEST(Texels, WritesOutsideHaveNoEffect) {
  for (const auto rules : {Rules::vulkan, Rules::d3d12}) {
    EXPECT_THAT(faults(check_texels({.body = "imageStore(picture, at + ivec2(1, 0), uvec4(i));", .rules = rules})),
                IsEmpty());
  }
}

}  // namespace
}  // namespace crosslane::sanitize_tests
