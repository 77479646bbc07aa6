#include "job/execute.hpp"

#include <array>
#include <span>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "job/read_job.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane::job {
namespace {

using crosslane::test::device;
using crosslane::test::fails;
using crosslane::test::must;
using testing::ElementsAre;
using testing::HasSubstr;

Shader glsl(const std::string& source) {
  return must(load_shader({.file = "test.comp", .language = Language::glsl, .text = "#version 450\n" + source},
                          [] { return fail(ErrorCode::compiler, "not needed"); }));
}

Job job(const std::string& rest) {
  return must(read_job("Shaders:\n  - Stage: Compute\n    Entry: main\n" + rest, "job.yaml"));
}

std::vector<std::uint32_t> words(const Job& job, const std::string& buffer, std::size_t element = 0) {
  const auto& bytes = job.find(buffer)->elements.at(element);
  std::vector<std::uint32_t> result;
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    result.push_back(static_cast<std::uint32_t>(bits_of(std::span(bytes).subspan(at), Format::hex32)));
  }
  return result;
}

constexpr const char* copy_shader = R"(
layout(local_size_x = 4) in;
layout(constant_id = 2) const uint added = 1;
layout(constant_id = 3) const float unused = 1;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; } source;
layout(set = 0, binding = 1) buffer Out { uint values[]; } target;
void main() { target.values[gl_LocalInvocationIndex] = source.values[gl_LocalInvocationIndex] + added; }
)";

constexpr const char* copy_job = R"(
Buffers:
  - { Name: In, Format: UInt32, Stride: 4, Data: [ 1, 2, 3, 4 ] }
  - { Name: Out, Format: UInt32, Stride: 4, FillSize: 16 }
  - { Name: Expected, Format: UInt32, Stride: 4, Data: [ 2, 3, 4, 6 ] }
Results:
  - { Result: Right, Rule: BufferExact, Actual: In, Expected: In }
  - { Result: Wrong, Rule: BufferExact, Actual: Out, Expected: Expected }
DescriptorSets:
  - Resources:
    - { Name: In, Kind: StructuredBuffer, VulkanBinding: { Binding: 0 } }
    - { Name: Out, Kind: RWStructuredBuffer, VulkanBinding: { Binding: 1 } }
)";

TEST(Execute, RunsAndJudges) {
  auto copied = job(copy_job);
  const auto execution = must(execute(device(), glsl(copy_shader), copied));
  EXPECT_THAT(words(copied, "Out"), ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(execution.wave_size, device().info().wave_sizes.standard);
  EXPECT_THAT(execution.group_size, ElementsAre(4, 1, 1));
  ASSERT_EQ(execution.verdicts.size(), 2U);
  EXPECT_TRUE(execution.verdicts[0].verdict.holds);
  EXPECT_FALSE(execution.verdicts[1].verdict.holds);
  EXPECT_EQ(execution.verdicts[1].verdict.first.at(0).index, 3U);
  EXPECT_FALSE(execution.all_hold());
}

TEST(Execute, SpecializesByIdAndType) {
  auto copied = job(copy_job);
  copied.constants = {{2, Format::uint32, 10}};
  must(execute(device(), glsl(copy_shader), copied));
  EXPECT_THAT(words(copied, "Out"), ElementsAre(11, 12, 13, 14));
  copied.constants = {{4, Format::uint32, 10}};
  EXPECT_TRUE(
      fails(execute(device(), glsl(copy_shader), copied), ErrorCode::invalid_input, "no specialization constant 4"));
  copied.constants = {{2, Format::float32, 10}};
  EXPECT_TRUE(fails(execute(device(), glsl(copy_shader), copied), ErrorCode::invalid_input,
                    "constant 2 is UInt32, but the job gives it as Float32"));
  copied.constants = {{3, Format::uint32, 10}};
  EXPECT_TRUE(fails(execute(device(), glsl(copy_shader), copied), ErrorCode::invalid_input, "is Float32"));
}

TEST(Execute, ReadOnlyBuffersAndSourcesStayAsTheyAre) {
  auto aliased = job(copy_job);
  aliased.resources[0].buffer = "Out";  // each resource has a copy of its own
  must(execute(device(), glsl(copy_shader), aliased));
  EXPECT_THAT(words(aliased, "Out"), ElementsAre(1, 1, 1, 1));
}

TEST(Execute, TwoWritableResourcesOfOneBufferAreAmbiguous) {
  auto twice = job(copy_job);
  twice.resources[0].buffer = "Out";
  twice.resources[0].kind = ResourceKind::rw_structured_buffer;
  EXPECT_TRUE(fails(execute(device(), glsl(copy_shader), twice), ErrorCode::invalid_input,
                    "two writable resources name buffer 'Out'"));
}

TEST(Execute, ConstantsThatTheShaderHasNoRoomForAreAnError) {
  auto pushed = job(copy_job);
  pushed.push_constants.resize(4);
  EXPECT_TRUE(fails(execute(device(), glsl(copy_shader), pushed), ErrorCode::invalid_input,
                    "4 bytes of push constants, and the shader takes 0"));
}

TEST(Execute, MissingConstantsAndUniformsAreZero) {
  const auto shader = glsl(R"(
layout(local_size_x = 1) in;
layout(push_constant) uniform Pushed { uvec2 pushed; };
layout(set = 0, binding = 0) uniform Block { uvec4 given; uvec4 missing; };
layout(set = 0, binding = 1) buffer Out { uint values[]; } target;
void main() {
  target.values[0] = pushed.x + 10 * pushed.y;
  target.values[1] = given.x + 10 * given.y + 100 * missing.w;
}
)");
  auto short_job = job(R"(
PushConstants:
  - Stage: Compute
    Values:
      - { Format: UInt32, Offset: 0, Data: [ 3 ] }
Buffers:
  - { Name: Block, Format: UInt32, Data: [ 4 ] }
  - { Name: Out, Format: UInt32, FillSize: 8, FillValue: 9 }
DescriptorSets:
  - Resources:
    - { Name: Block, Kind: ConstantBuffer, VulkanBinding: { Binding: 0 } }
    - { Name: Out, Kind: RWStructuredBuffer, VulkanBinding: { Binding: 1 } }
)");
  must(execute(device(), shader, short_job));
  EXPECT_THAT(words(short_job, "Out"), ElementsAre(3, 4));
}

TEST(Execute, TypedBuffersInArraysHaveFormatsOfTheirOwn) {
  const auto shader = glsl(R"(
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) uniform samplerBuffer sources[2];
layout(set = 0, binding = 1, r32ui) uniform uimageBuffer targets[2];
void main() {
  const int thread = int(gl_LocalInvocationIndex);
  imageStore(targets[0], thread, uvec4(texelFetch(sources[1], thread).y));
  imageStore(targets[1], thread, uvec4(texelFetch(sources[0], thread).x));
}
)");
  auto typed = job(R"(
Buffers:
  - Name: Source
    Format: Float32
    Channels: 2
    ArraySize: 2
    Data: [ [ 1, 2, 3, 4 ], [ 5, 6, 7, 8 ] ]
  - { Name: Target, Format: UInt32, ArraySize: 2, FillSize: 8 }
DescriptorSets:
  - Resources:
    - { Name: Source, Kind: Buffer, VulkanBinding: { Binding: 0 } }
    - { Name: Target, Kind: RWBuffer, VulkanBinding: { Binding: 1 } }
)");
  must(execute(device(), shader, typed));
  EXPECT_THAT(words(typed, "Target", 0), ElementsAre(6, 8));
  EXPECT_THAT(words(typed, "Target", 1), ElementsAre(1, 3));
}

TEST(Execute, WaveSizesTheDeviceLacksAreRefused) {
  auto copied = job(copy_job);
  const auto standard = device().info().wave_sizes.standard;
  must(execute(device(), glsl(copy_shader), copied, {.wave_size = standard}));
  const auto refused = execute(device(), glsl(copy_shader), copied, {.wave_size = 128});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("128"));
}

TEST(Execute, WhatCannotBeReflectedIsAnError) {
  auto copied = job(copy_job);
  auto shader = glsl(copy_shader);
  shader.entry_point = "other";
  EXPECT_TRUE(fails(execute(device(), shader, copied), ErrorCode::invalid_argument, "no entry point \"other\""));
  shader.words = {1, 2, 3};
  EXPECT_TRUE(fails(execute(device(), shader, copied), ErrorCode::invalid_input, "'test.comp' cannot be run"));
}

}  // namespace
}  // namespace crosslane::job
