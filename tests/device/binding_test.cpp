// What a dispatch may show to a shader beside storage buffers: uniform and typed buffers, and arrays.
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "support/assemble.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::device;
using test::fails;
using test::must;

// One thread: stored[0] = targets[0].word; targets[1].word = uint(fetched[1].x) + block.word.
constexpr const char* shader_text = R"(
    OpCapability Shader
    OpCapability SampledBuffer
    OpCapability ImageBuffer
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    OpName %fetched "fetched"
    OpDecorate %stored DescriptorSet 0
    OpDecorate %stored Binding 0
    OpDecorate %fetched DescriptorSet 0
    OpDecorate %fetched Binding 1
    OpDecorate %targets DescriptorSet 1
    OpDecorate %targets Binding 2
    OpDecorate %uniform DescriptorSet 1
    OpDecorate %uniform Binding 3
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %uint4 = OpTypeVector %uint 4
    %int = OpTypeInt 32 1
    %float = OpTypeFloat 32
    %float4 = OpTypeVector %float 4
    %0 = OpConstant %int 0
    %1 = OpConstant %int 1
    %two = OpConstant %uint 2
    %block = OpTypeStruct %uint
    %blocks = OpTypeArray %block %two
    %to_blocks = OpTypePointer StorageBuffer %blocks
    %to_word = OpTypePointer StorageBuffer %uint
    %to_block = OpTypePointer Uniform %block
    %to_uniform_word = OpTypePointer Uniform %uint
    %storage_texels = OpTypeImage %uint Buffer 0 0 0 2 R32ui
    %to_storage_texels = OpTypePointer UniformConstant %storage_texels
    %texels = OpTypeImage %float Buffer 0 0 0 1 Unknown
    %sampled_texels = OpTypeSampledImage %texels
    %to_texels = OpTypePointer UniformConstant %texels
    %stored = OpVariable %to_storage_texels UniformConstant
    %fetched = OpVariable %to_texels UniformConstant
    %targets = OpVariable %to_blocks StorageBuffer
    %uniform = OpVariable %to_block Uniform
    %main = OpFunction %void None %function
    %start = OpLabel
    %first = OpAccessChain %to_word %targets %0 %0
    %first_word = OpLoad %uint %first
    %stored_texels = OpLoad %storage_texels %stored
    %texel = OpCompositeConstruct %uint4 %first_word %first_word %first_word %first_word
    OpImageWrite %stored_texels %0 %texel
    %fetched_texels = OpLoad %texels %fetched
    %numbers = OpImageFetch %float4 %fetched_texels %1
    %number = OpCompositeExtract %float %numbers 0
    %whole = OpConvertFToU %uint %number
    %uniform_place = OpAccessChain %to_uniform_word %uniform %0
    %uniform_word = OpLoad %uint %uniform_place
    %sum = OpIAdd %uint %whole %uniform_word
    %second = OpAccessChain %to_word %targets %1 %0
    OpStore %second %sum
    OpReturn
    OpFunctionEnd
)";

class Bindings : public testing::Test {
 protected:
  void SetUp() override {
    const auto spirv = test::assemble(shader_text, 3);
    pipeline_ = must(device().create_pipeline({.spirv = spirv, .name = "the shader"}));
    for (auto& buffer : buffers_) {
      buffer = must(device().create_buffer({.bytes = 16}));
    }
    bindings_ = {{.slot = 0, .buffer = buffers_[0].get(), .texels = TexelFormat{TexelType::u32, 1}},
                 {.slot = 1, .buffer = buffers_[1].get(), .texels = TexelFormat{TexelType::f32, 1}},
                 {.slot = 2, .buffer = buffers_[2].get(), .set = 1},
                 {.slot = 2, .buffer = buffers_[3].get(), .set = 1, .element = 1},
                 {.slot = 3, .buffer = buffers_[4].get(), .set = 1}};
  }

  void fill(std::size_t buffer, std::span<const std::uint32_t> words) {
    must(upload(device(), *buffers_.at(buffer), std::as_bytes(words)));
  }

  std::uint32_t word(std::size_t buffer) {
    std::uint32_t value = 0;
    must(download(device(), *buffers_.at(buffer), std::as_writable_bytes(std::span(&value, 1))));
    return value;
  }

  Expected<void> dispatch() {
    list_ = must(device().create_command_list());
    return list_->dispatch(*pipeline_, bindings_, {}, {1, 1, 1});
  }

  std::unique_ptr<Pipeline> pipeline_;
  std::array<std::unique_ptr<Buffer>, 5> buffers_;
  std::vector<Binding> bindings_;
  std::unique_ptr<CommandList> list_;
};

TEST_F(Bindings, OfEveryKindReachTheShader) {
  fill(0, std::array{0U, 0U});
  fill(1, std::array{0x3F800000U, 0x40E00000U});  // 1, 7
  fill(2, std::array{123U});
  fill(3, std::array{0U});
  fill(4, std::array{1000U, 0U, 0U, 0U});
  must(dispatch());
  must(run(device(), *list_));
  EXPECT_EQ(word(0), 123U);
  EXPECT_EQ(word(3), 1007U);
}

TEST_F(Bindings, FormatsSayWhatBytesMean) {
  fill(1, std::array{0x00050003U});  // two texels of 16 bits
  fill(4, std::array{0U});
  bindings_[1].texels = TexelFormat{TexelType::f16, 1};
  bindings_[1].bytes = 4;
  fill(1, std::array{0x48003C00U});  // 1, 8
  must(dispatch());
  must(run(device(), *list_));
  EXPECT_EQ(word(3), 8U);
  fill(1, std::array{0xFF00U});  // unsigned normalised: 0, 1
  bindings_[1].texels = TexelFormat{TexelType::unorm8, 1};
  must(dispatch());
  must(run(device(), *list_));
  EXPECT_EQ(word(3), 1U);
}

TEST_F(Bindings, TypedBuffersNeedAFormatThatTheDeviceHas) {
  auto& binding = bindings_[1];
  binding.texels.reset();
  EXPECT_TRUE(fails(dispatch(), ErrorCode::invalid_argument, "needs a texel format"));
  binding.texels = TexelFormat{TexelType::u64, 2};
  EXPECT_TRUE(fails(dispatch(), ErrorCode::unsupported, "2 channels of u64"));
  binding.texels = TexelFormat{TexelType::f32, 5};
  EXPECT_TRUE(fails(dispatch(), ErrorCode::unsupported, "5 channels"));
  binding.texels = TexelFormat{TexelType::f32, 0};
  EXPECT_TRUE(fails(dispatch(), ErrorCode::unsupported, "0 channels"));
  binding.texels = TexelFormat{TexelType::f32, 1};
  binding.bytes = 6;
  EXPECT_TRUE(fails(dispatch(), ErrorCode::invalid_argument, "no whole number of texels"));
}

TEST_F(Bindings, ArraysNeedEachElementOnce) {
  auto& second = bindings_[3];
  second.element = 0;
  EXPECT_TRUE(fails(dispatch(), ErrorCode::invalid_argument, "it is bound twice"));
  second.element = 2;
  EXPECT_TRUE(fails(dispatch(), ErrorCode::invalid_argument, "there is no element 2; it has 2"));
  bindings_.erase(bindings_.begin() + 3);
  EXPECT_TRUE(fails(dispatch(), ErrorCode::invalid_argument, "set 1, binding 2, element 1: no buffer is bound"));
  bindings_.erase(bindings_.begin() + 1);
  EXPECT_TRUE(fails(dispatch(), ErrorCode::invalid_argument, "set 0, binding 1 (fetched): no buffer is bound"));
}

}  // namespace
}  // namespace crosslane
