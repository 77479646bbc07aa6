// Images of a device: copies, and what shaders read, write and sample.
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/glsl.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::device;
using test::fails;
using test::must;
using testing::ElementsAre;
using testing::FloatNear;

constexpr TexelFormat word{TexelType::u32, 1};
constexpr TexelFormat number{TexelType::f32, 1};

template <typename T>
void fill(Image& image, std::vector<T> texels, std::uint32_t level = 0) {
  must(upload(device(), image, std::as_bytes(std::span(texels)), level));
}

template <typename T>
std::vector<T> texels_of(Image& image, std::uint32_t level = 0) {
  std::vector<T> texels(level_bytes(image.description(), level) / sizeof(T));
  must(download(device(), image, std::as_writable_bytes(std::span(texels)), level));
  return texels;
}

std::unique_ptr<Pipeline> pipeline(const std::string& source) {
  compile::GlslRequest request;
  request.file = "test.comp";
  request.source = source;
  const auto spirv = must(compile::compile_glsl(request)).words;
  return must(device().create_pipeline({.spirv = spirv, .name = "the shader"}));
}

Expected<void> dispatch(const Pipeline& shader, const std::vector<Binding>& bindings) {
  return device().create_command_list().and_then([&](const std::unique_ptr<CommandList>& list) {
    return list->dispatch(shader, bindings, {}, {1, 1, 1}).and_then([&] { return run(device(), *list); });
  });
}

TEST(Images, KeepWhatIsCopiedToEachLevel) {
  const auto image = must(device().create_image({.format = word, .extent = {5, 3, 1}, .layers = 2, .levels = 3}));
  std::vector<std::vector<std::uint32_t>> levels = {std::vector<std::uint32_t>(30), std::vector<std::uint32_t>(4),
                                                    std::vector<std::uint32_t>(2)};
  for (std::uint32_t level = 0; level < 3; ++level) {
    std::iota(levels[level].begin(), levels[level].end(), 100 * level);
    fill(*image, levels[level], level);
  }
  for (std::uint32_t level = 0; level < 3; ++level) {
    EXPECT_EQ(texels_of<std::uint32_t>(*image, level), levels[level]);
  }
}

TEST(Images, AreReadAndWrittenByShaders) {
  const auto shader = pipeline(R"(#version 460
layout(local_size_x = 4, local_size_y = 4) in;
layout(binding = 0, r32ui) uniform uimage2D source;
layout(binding = 1, r32ui) uniform uimage2D target;
layout(binding = 2, r32ui) uniform uimage2D sum;
void main() {
  ivec2 at = ivec2(gl_LocalInvocationID.xy);
  if (all(lessThan(at, imageSize(source)))) {
    uint texel = imageLoad(source, at).x;
    imageStore(target, at, uvec4(texel * 3));
    imageAtomicAdd(sum, ivec2(0), texel);
  }
})");
  const auto source = must(device().create_image({.format = word, .extent = {3, 2, 1}}));
  const auto target = must(device().create_image({.format = word, .extent = {6, 4, 1}, .levels = 2}));
  const auto sum = must(device().create_image({.format = word, .extent = {1, 1, 1}}));
  fill<std::uint32_t>(*source, {1, 2, 3, 4, 5, 6});
  fill<std::uint32_t>(*target, std::vector<std::uint32_t>(24, 9));
  fill<std::uint32_t>(*sum, {1000});
  must(dispatch(*shader, {{.slot = 0, .image = source.get()},
                          {.slot = 1, .image = target.get(), .level = 1},
                          {.slot = 2, .image = sum.get()}}));
  EXPECT_THAT(texels_of<std::uint32_t>(*target, 1), ElementsAre(3, 6, 9, 12, 15, 18));
  EXPECT_THAT(texels_of<std::uint32_t>(*target, 0), testing::Each(9));
  EXPECT_THAT(texels_of<std::uint32_t>(*sum), ElementsAre(1021));
}

constexpr const char* sampling = R"(#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform texture2D image;
layout(binding = 1) uniform sampler how;
layout(binding = 2) uniform sampler2D both;
layout(binding = 3) buffer Out { float result[4]; };
void main() {
  result[0] = textureLod(sampler2D(image, how), vec2(0.5, 0.5), 0).x;
  result[1] = textureLod(both, vec2(1.25, 0.25), 0).x;
  result[2] = textureLod(both, vec2(0.25, 0.75), 1).x;
  result[3] = texelFetch(image, ivec2(1, 1), 0).x;
})";

class SampledImage : public testing::Test {
 protected:
  void SetUp() override {
    shader_ = pipeline(sampling);
    image_ = must(device().create_image({.format = number, .extent = {2, 2, 1}, .levels = 2}));
    out_ = must(device().create_buffer({.bytes = 16}));
    fill<float>(*image_, {1, 2, 4, 9});
    fill<float>(*image_, {50}, 1);
    bindings_ = {{.slot = 0, .image = image_.get()},
                 {.slot = 1, .sampler = Sampler{}},
                 {.slot = 2,
                  .image = image_.get(),
                  .sampler = Sampler{.minify = Filter::point,
                                     .magnify = Filter::point,
                                     .address = {TextureAddress::wrap, TextureAddress::wrap, TextureAddress::wrap}}},
                 {.slot = 3, .buffer = out_.get()}};
  }

  std::unique_ptr<Pipeline> shader_;
  std::unique_ptr<Image> image_;
  std::unique_ptr<Buffer> out_;
  std::vector<Binding> bindings_;
};

TEST_F(SampledImage, IsFilteredAsItsSamplerSays) {
  must(dispatch(*shader_, bindings_));
  std::array<float, 4> result{};
  must(download(device(), *out_, std::as_writable_bytes(std::span(result))));
  EXPECT_THAT(result, ElementsAre(FloatNear(4, 1e-4F), 1, 50, 9));
}

TEST_F(SampledImage, MustBeWhatTheShaderTakes) {
  const auto refused = [&](std::size_t place, const Binding& binding, std::string_view part) {
    auto bindings = bindings_;
    bindings.at(place) = binding;
    return fails(dispatch(*shader_, bindings), ErrorCode::invalid_argument, part);
  };
  const auto line = must(device().create_image({.format = number, .dimensions = 1, .extent = {2, 1, 1}}));
  const auto layers = must(device().create_image({.format = number, .extent = {2, 2, 1}, .layers = 3}));
  const auto words = must(device().create_image({.format = word, .extent = {2, 2, 1}}));
  EXPECT_TRUE(refused(0, {.slot = 0}, "image"));
  EXPECT_TRUE(refused(0, {.slot = 0, .image = line.get()}, "the shader takes it for a 2-D image, but it is a 1-D"));
  EXPECT_TRUE(refused(0, {.slot = 0, .image = layers.get()}, "layers: 3"));
  EXPECT_TRUE(refused(0, {.slot = 0, .image = words.get()}, "the shader takes them for floats"));
  EXPECT_TRUE(refused(1, {.slot = 1}, "no sampler is bound"));
  EXPECT_TRUE(refused(2, {.slot = 2, .image = image_.get()}, "no sampler is bound"));
  EXPECT_TRUE(refused(0, {.slot = 0, .image = image_.get(), .level = 2}, "there is no level 2"));
}

TEST(Images, ThatCannotBeAreRefused) {
  const auto refused = [](const ImageDescription& description) {
    return fails(device().create_image(description), ErrorCode::invalid_argument, "There can be no ");
  };
  EXPECT_TRUE(refused({.format = {TexelType::u32, 5}}));
  EXPECT_TRUE(refused({.format = word, .dimensions = 4}));
  EXPECT_TRUE(refused({.format = word, .extent = {0, 1, 1}}));
  EXPECT_TRUE(refused({.format = word, .dimensions = 1, .extent = {2, 2, 1}}));
  EXPECT_TRUE(refused({.format = word, .dimensions = 3, .extent = {2, 2, 2}, .layers = 2}));
  EXPECT_TRUE(refused({.format = word, .extent = {4, 4, 1}, .levels = 4}));
  EXPECT_TRUE(refused({.format = word, .extent = {4, 4, 1}, .layers = 5, .cube = true}));
}

TEST(Images, CopiesMustFit) {
  const auto image = must(device().create_image({.format = word, .extent = {4, 4, 1}}));
  const auto buffer = must(device().create_buffer({.bytes = 64}));
  const auto list = must(device().create_command_list());
  EXPECT_TRUE(fails(list->copy_to_image(*buffer, 0, *image, 1), ErrorCode::invalid_argument, "Copying level 1"));
  EXPECT_TRUE(fails(list->copy_to_image(*buffer, 2, *image, 0), ErrorCode::invalid_argument, "multiple of 4"));
  EXPECT_TRUE(fails(list->copy_to_buffer(*image, 0, *buffer, 4), ErrorCode::invalid_argument, "64 bytes"));
  std::vector<std::uint32_t> few(3);
  EXPECT_TRUE(fails(upload(device(), *image, std::as_bytes(std::span(few))), ErrorCode::invalid_argument, "12 bytes"));
}

}  // namespace
}  // namespace crosslane
