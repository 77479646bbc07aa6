// The shaders that the tests of this folder run, as assembly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/assemble.hpp"

namespace crosslane::test {

/// What a variation of the shader below changes.
struct AffineOptions {
  std::string capabilities = {};  // after OpCapability Shader
  std::string modes = {};         // after the others
  std::string size = "OpExecutionMode %main LocalSize 64 1 1\n";
  std::string decorations = {};   // with the others
  std::string declarations = {};  // before the function
  std::string statements = {};    // at the function's start
};

/// out[i] = in[i] * factor + addend for i below count. Binding 0 is `in` (only read), binding 1 `out`; the constants
/// are {count, addend}; `factor` is specialization constant 5, 3 if not given; 64 threads per group.
inline std::vector<std::uint32_t> affine_shader(const AffineOptions& options = {}) {
  return assemble("OpCapability Shader\n" + options.capabilities + R"(
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %thread_id
    )" + options.size +
                      options.modes + R"(
    OpName %in "in"
    OpName %out "out"
    OpDecorate %thread_id BuiltIn GlobalInvocationId
    OpDecorate %words ArrayStride 4
    OpDecorate %in_block Block
    OpMemberDecorate %in_block 0 Offset 0
    OpMemberDecorate %in_block 0 NonWritable
    OpDecorate %out_block Block
    OpMemberDecorate %out_block 0 Offset 0
    OpDecorate %constants_block Block
    OpMemberDecorate %constants_block 0 Offset 0
    OpMemberDecorate %constants_block 1 Offset 4
    OpDecorate %in DescriptorSet 0
    OpDecorate %in Binding 0
    OpDecorate %out DescriptorSet 0
    OpDecorate %out Binding 1
    OpDecorate %factor SpecId 5
    )" + options.decorations +
                      R"(
    %void = OpTypeVoid
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %uint3 = OpTypeVector %uint 3
    %function = OpTypeFunction %void
    %0 = OpConstant %uint 0
    %1 = OpConstant %uint 1
    %factor = OpSpecConstant %uint 3
    %words = OpTypeRuntimeArray %uint
    %in_block = OpTypeStruct %words
    %out_block = OpTypeStruct %words
    %constants_block = OpTypeStruct %uint %uint
    %to_uint3 = OpTypePointer Input %uint3
    %to_in_block = OpTypePointer StorageBuffer %in_block
    %to_out_block = OpTypePointer StorageBuffer %out_block
    %to_word = OpTypePointer StorageBuffer %uint
    %to_constants_block = OpTypePointer PushConstant %constants_block
    %to_constant = OpTypePointer PushConstant %uint
    %thread_id = OpVariable %to_uint3 Input
    %in = OpVariable %to_in_block StorageBuffer
    %out = OpVariable %to_out_block StorageBuffer
    %constants = OpVariable %to_constants_block PushConstant
    )" + options.declarations +
                      R"(
    %main = OpFunction %void None %function
    %entry = OpLabel
    )" + options.statements +
                      R"(
    %id = OpLoad %uint3 %thread_id
    %i = OpCompositeExtract %uint %id 0
    %count_at = OpAccessChain %to_constant %constants %0
    %count = OpLoad %uint %count_at
    %inside = OpULessThan %bool %i %count
    OpSelectionMerge %end None
    OpBranchConditional %inside %work %end
    %work = OpLabel
    %from = OpAccessChain %to_word %in %0 %i
    %value = OpLoad %uint %from
    %product = OpIMul %uint %value %factor
    %addend_at = OpAccessChain %to_constant %constants %1
    %addend = OpLoad %uint %addend_at
    %sum = OpIAdd %uint %product %addend
    %to = OpAccessChain %to_word %out %0 %i
    OpStore %to %sum
    OpBranch %end
    %end = OpLabel
    OpReturn
    OpFunctionEnd
  )",
                  3);
}

/// out[i] = lanes of the wave, as the shader sees them. Binding 0 is `out`; 64 threads per group.
inline std::vector<std::uint32_t> wave_size_shader() {
  return assemble(R"(
    OpCapability Shader
    OpCapability GroupNonUniform
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %thread_id %wave_size
    OpExecutionMode %main LocalSize 64 1 1
    OpDecorate %thread_id BuiltIn GlobalInvocationId
    OpDecorate %wave_size BuiltIn SubgroupSize
    OpDecorate %words ArrayStride 4
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %out DescriptorSet 0
    OpDecorate %out Binding 0
    %void = OpTypeVoid
    %uint = OpTypeInt 32 0
    %uint3 = OpTypeVector %uint 3
    %function = OpTypeFunction %void
    %0 = OpConstant %uint 0
    %words = OpTypeRuntimeArray %uint
    %block = OpTypeStruct %words
    %to_uint3 = OpTypePointer Input %uint3
    %to_uint = OpTypePointer Input %uint
    %to_block = OpTypePointer StorageBuffer %block
    %to_word = OpTypePointer StorageBuffer %uint
    %thread_id = OpVariable %to_uint3 Input
    %wave_size = OpVariable %to_uint Input
    %out = OpVariable %to_block StorageBuffer
    %main = OpFunction %void None %function
    %entry = OpLabel
    %id = OpLoad %uint3 %thread_id
    %i = OpCompositeExtract %uint %id 0
    %lanes = OpLoad %uint %wave_size
    %to = OpAccessChain %to_word %out %0 %i
    OpStore %to %lanes
    OpReturn
    OpFunctionEnd
  )",
                  3);
}

/// out[0] = the first word of a uniform buffer. `out` is binding 0 of set 0, the uniform buffer binding 1 of set 2.
inline std::vector<std::uint32_t> uniform_shader() {
  return assemble(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %words ArrayStride 4
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %settings_block Block
    OpMemberDecorate %settings_block 0 Offset 0
    OpDecorate %out DescriptorSet 0
    OpDecorate %out Binding 0
    OpDecorate %settings DescriptorSet 2
    OpDecorate %settings Binding 1
    %void = OpTypeVoid
    %uint = OpTypeInt 32 0
    %function = OpTypeFunction %void
    %0 = OpConstant %uint 0
    %words = OpTypeRuntimeArray %uint
    %block = OpTypeStruct %words
    %settings_block = OpTypeStruct %uint
    %to_block = OpTypePointer StorageBuffer %block
    %to_word = OpTypePointer StorageBuffer %uint
    %to_settings = OpTypePointer Uniform %settings_block
    %to_setting = OpTypePointer Uniform %uint
    %out = OpVariable %to_block StorageBuffer
    %settings = OpVariable %to_settings Uniform
    %main = OpFunction %void None %function
    %entry = OpLabel
    %from = OpAccessChain %to_setting %settings %0
    %value = OpLoad %uint %from
    %to = OpAccessChain %to_word %out %0 %0
    OpStore %to %value
    OpReturn
    OpFunctionEnd
  )",
                  3);
}

}  // namespace crosslane::test
