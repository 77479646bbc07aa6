// The text of a SPIR-V module: what all modules start with, constants and types.
#include "machine/random/emit_text.hpp"

namespace crosslane::machine_tests {
namespace {

constexpr std::string_view module_start = R"(
OpCapability Shader
OpCapability GroupNonUniform
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability GroupNonUniformQuad
{0}OpExtension "SPV_KHR_maximal_reconvergence"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %f0 "main" %in %out %lane_in %size_in %wave_in %thread_in %group_in %base %cursor %hash
OpExecutionMode %f0 LocalSize {1} 1 1
OpExecutionMode %f0 MaximallyReconvergesKHR
OpDecorate %lane_in BuiltIn SubgroupLocalInvocationId
OpDecorate %size_in BuiltIn SubgroupSize
OpDecorate %wave_in BuiltIn SubgroupId
OpDecorate %thread_in BuiltIn LocalInvocationIndex
OpDecorate %group_in BuiltIn WorkgroupId
OpDecorate %words ArrayStride 4
OpDecorate %buffer Block
OpMemberDecorate %buffer 0 Offset 0
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%v4 = OpTypeVector %uint 4
%true = OpConstantTrue %bool
%words = OpTypeRuntimeArray %uint
%buffer = OpTypeStruct %words
%buffer_pointer = OpTypePointer StorageBuffer %buffer
%word_pointer = OpTypePointer StorageBuffer %uint
%input_pointer = OpTypePointer Input %uint
%input_pointer3 = OpTypePointer Input %v3
%private_pointer = OpTypePointer Private %uint
%local_pointer = OpTypePointer Function %uint
%array_length = OpConstant %uint 8
%array = OpTypeArray %uint %array_length
%array_pointer = OpTypePointer Function %array
%no_array = OpConstantNull %array
%in = OpVariable %buffer_pointer StorageBuffer
%out = OpVariable %buffer_pointer StorageBuffer
%lane_in = OpVariable %input_pointer Input
%size_in = OpVariable %input_pointer Input
%wave_in = OpVariable %input_pointer Input
%thread_in = OpVariable %input_pointer Input
%group_in = OpVariable %input_pointer3 Input
%null = OpConstantNull %uint
%base = OpVariable %private_pointer Private %null
%cursor = OpVariable %private_pointer Private %null
%hash = OpVariable %private_pointer Private %null
%main_type = OpTypeFunction %void
%trace_type = OpTypeFunction %void %uint
)";

constexpr std::string_view rare_operations = R"(OpCapability GroupNonUniformClustered
OpCapability GroupNonUniformRotateKHR
OpCapability GroupNonUniformPartitionedNV
OpExtension "SPV_KHR_subgroup_rotate"
OpExtension "SPV_NV_shader_subgroup_partitioned"
)";

}  // namespace

std::string SpirvText::constant(std::uint32_t value) {
  auto& name = constants_[value];
  name = fmt::format("%k{}", value);
  return name;
}

std::string SpirvText::function_type(std::uint32_t parameters) {
  function_types_.insert(parameters);
  return fmt::format("%type{}", parameters);
}

std::string SpirvText::module_of(const Program& program) const {
  std::string text = fmt::format(module_start, program.portable ? "" : rare_operations, program.threads);
  for (const auto& [value, name] : constants_) {
    text += fmt::format("{} = OpConstant %uint {}\n", name, value);
  }
  for (const auto count : function_types_) {
    text += fmt::format("%type{} = OpTypeFunction %uint", count);
    for (std::uint32_t i = 0; i < count; ++i) {
      text += " %uint";
    }
    text += '\n';
  }
  for (const auto& text_line : lines_) {
    text += text_line + '\n';
  }
  return text;
}

}  // namespace crosslane::machine_tests
