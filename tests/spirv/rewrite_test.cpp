#include "spirv/rewrite.hpp"

#include <string>

#include <gtest/gtest.h>

#include "spirv/modules.hpp"
#include "spirv/reflection.hpp"
#include "spirv/validate.hpp"
#include "support/assemble.hpp"
#include "support/expected.hpp"

namespace crosslane::spirv {
namespace {

using test::assemble;
using test::empty_shader;
using test::fails;
using test::must;

constexpr std::uint32_t partitioned = 5297;
constexpr std::uint32_t maximally_reconverges = 6023;

TEST(StripExecutionMode, TakesTheModeAndItsExtensionAndNothingElse) {
  const auto with = assemble(empty_shader("OpExtension \"SPV_KHR_maximal_reconvergence\"\n",
                                          "OpExecutionMode %main MaximallyReconvergesKHR\n"));
  ASSERT_NE(must(reflect(with, "main")).find_mode(maximally_reconverges), nullptr);
  const auto without = assemble(empty_shader());
  auto stripped = must(strip_maximal_reconvergence(with));
  stripped[2] = without[2];  // who wrote it
  EXPECT_EQ(stripped, without);
}

TEST(StripExecutionMode, LeavesOtherModulesAlone) {
  const auto words = assemble(empty_shader());
  EXPECT_EQ(must(strip_maximal_reconvergence(words)), words);
}

TEST(StripExecutionMode, LeavesModesOfOtherNumbersAlone) {
  const auto words = assemble(empty_shader("OpCapability DenormPreserve\nOpExtension \"SPV_KHR_float_controls\"\n",
                                           "OpExecutionMode %main DenormPreserve 32\n"));
  EXPECT_EQ(must(strip_maximal_reconvergence(words)), words);
}

TEST(SetGroupSize, ChangesTheSizeAndNothingElse) {
  const auto words = assemble(empty_shader());
  auto changed = must(set_group_size(words, {32, 3, 2}));
  EXPECT_EQ(must(reflect(changed, "main")).find_mode(17)->operands, (std::vector<std::uint32_t>{32, 3, 2}));
  EXPECT_EQ(must(set_group_size(changed, {8, 4, 2})), words) << "as it was";
  EXPECT_TRUE(fails(set_group_size(std::vector<std::uint32_t>{1, 2, 3}, {1, 1, 1}), ErrorCode::invalid_input, ""));
}

TEST(TrimCapabilities, TakesWhatIsNotNeeded) {
  const auto words =
      assemble(empty_shader("OpCapability GroupNonUniform\nOpCapability GroupNonUniformPartitionedNV\n"
                            "OpExtension \"SPV_NV_shader_subgroup_partitioned\"\n"));
  ASSERT_TRUE(must(reflect(words, "main")).has_capability(partitioned));
  const auto trimmed = must(trim_capabilities(words));
  must(validate(trimmed));
  const auto reflection = must(reflect(trimmed, "main"));
  EXPECT_FALSE(reflection.has_capability(partitioned));
  EXPECT_TRUE(reflection.extensions.empty());
}

TEST(TrimCapabilities, KeepsWhatIsNeeded) {
  const auto words = assemble(R"(
    OpCapability Shader
    OpCapability GroupNonUniform
    OpCapability GroupNonUniformBallot
    OpCapability GroupNonUniformPartitionedNV
    OpExtension "SPV_NV_shader_subgroup_partitioned"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %uint4 = OpTypeVector %uint 4
    %one = OpConstant %uint 1
    %main = OpFunction %void None %function
    %label = OpLabel
    %lanes = OpGroupNonUniformPartitionNV %uint4 %one
    OpReturn
    OpFunctionEnd
  )");
  const auto reflection = must(reflect(must(trim_capabilities(words)), "main"));
  EXPECT_TRUE(reflection.has_capability(partitioned));
  EXPECT_EQ(reflection.extensions, std::vector<std::string>{"SPV_NV_shader_subgroup_partitioned"});
}

TEST(StripToolInformation, TakesDebugInformationAndTheDecorationsOfTools) {
  const auto words = assemble(R"(
    OpCapability Shader
    OpExtension "SPV_KHR_non_semantic_info"
    OpExtension "SPV_GOOGLE_hlsl_functionality1"
    OpExtension "SPV_GOOGLE_user_type"
    %debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %file = OpString "a.hlsl"
    OpDecorateString %buffer UserTypeGOOGLE "rwbyteaddressbuffer"
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 0
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %block = OpTypeStruct %uint
    %pointer = OpTypePointer StorageBuffer %block
    %buffer = OpVariable %pointer StorageBuffer
    %source = OpExtInst %void %debug DebugSource %file
    %main = OpFunction %void None %function
    %label = OpLabel
    OpReturn
    OpFunctionEnd
  )");
  ASSERT_EQ(must(reflect(words, "main")).extensions.size(), 3U);
  const auto stripped = must(strip_tool_information(words));
  must(validate(stripped));
  EXPECT_TRUE(must(reflect(stripped, "main")).extensions.empty());
}

TEST(Rewrite, RefusesMalformedWords) {
  const std::vector<std::uint32_t> words = {0x07230203, 0x00010500, 0, 10, 0, 0x00050011};
  EXPECT_TRUE(fails(strip_maximal_reconvergence(words), ErrorCode::invalid_input, "malformed"));
  EXPECT_TRUE(fails(trim_capabilities(words), ErrorCode::invalid_input, "malformed"));
  EXPECT_TRUE(fails(strip_tool_information({}), ErrorCode::invalid_input, "0 words"));
}

TEST(Rewrite, RefusesInvalidModules) {
  const auto words = assemble(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%uint = OpTypeInt 32 0\n"
      "%f = OpTypeFunction %uint\n%main = OpFunction %uint None %f\n%l = OpLabel\nOpReturn\n"
      "OpFunctionEnd\n");
  EXPECT_TRUE(fails(trim_capabilities(words), ErrorCode::invalid_input, "could not be rewritten"));
}

}  // namespace
}  // namespace crosslane::spirv
