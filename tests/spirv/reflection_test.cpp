#include "spirv/reflection.hpp"

#include <gtest/gtest.h>
#include <spirv/unified1/spirv.hpp11>

#include "spirv/modules.hpp"
#include "support/assemble.hpp"
#include "support/expected.hpp"

namespace crosslane::spirv {
namespace {

using test::assemble;
using test::empty_shader;
using test::fails;
using test::must;

using Size = std::array<std::uint32_t, 3>;

// A module with these decorations and globals; `body` uses them.
std::string shader(const std::string& decorations, const std::string& globals, const std::string& body,
                   const std::string& mode = "OpExecutionMode %main LocalSize 1 1 1\n") {
  return "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n" + mode +
         decorations + "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n" + globals +
         "%main = OpFunction %void None %function\n%label = OpLabel\n" + body + "OpReturn\nOpFunctionEnd\n";
}

TEST(Reflection, EntryPointGroupSizeVersion) {
  const auto reflection = must(reflect(assemble(empty_shader(), 3), "main"));
  EXPECT_EQ(reflection.version, (Version{1, 3}));
  EXPECT_EQ(reflection.entry_point.name, "main");
  EXPECT_EQ(reflection.entry_point.execution_model, static_cast<std::uint32_t>(spv::ExecutionModel::GLCompute));
  EXPECT_EQ(reflection.group_size, (Size{8, 4, 2}));
  EXPECT_FALSE(reflection.group_size_constants[0].has_value());
  EXPECT_TRUE(reflection.bindings.empty());
  EXPECT_EQ(reflection.constants_bytes, 0U);
  EXPECT_EQ(reflection.capabilities, std::vector<std::uint32_t>{1});
}

TEST(Reflection, NamesTheEntryPointsThatThereAre) {
  EXPECT_TRUE(fails(reflect(assemble(empty_shader()), "blur"), ErrorCode::invalid_argument, "it has \"main\""));
  const auto library = assemble("OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n");
  EXPECT_TRUE(fails(reflect(library, "main"), ErrorCode::invalid_argument, "has no entry point"));
}

TEST(Reflection, EachEntryPointHasItsOwnSizeAndBindings) {
  const auto words = assemble(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %first "first"
    OpEntryPoint GLCompute %second "second"
    OpExecutionMode %first LocalSize 2 1 1
    OpExecutionMode %second LocalSize 3 1 1
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %a DescriptorSet 0
    OpDecorate %a Binding 0
    OpDecorate %b DescriptorSet 0
    OpDecorate %b Binding 1
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %block = OpTypeStruct %uint
    %pointer = OpTypePointer StorageBuffer %block
    %a = OpVariable %pointer StorageBuffer
    %b = OpVariable %pointer StorageBuffer
    %first = OpFunction %void None %function
    %label1 = OpLabel
    %value1 = OpLoad %block %a
    OpReturn
    OpFunctionEnd
    %helper = OpFunction %void None %function
    %label2 = OpLabel
    %value2 = OpLoad %block %b
    OpReturn
    OpFunctionEnd
    %second = OpFunction %void None %function
    %label3 = OpLabel
    %call = OpFunctionCall %void %helper
    OpReturn
    OpFunctionEnd
  )");
  const auto first = must(reflect(words, "first"));
  const auto second = must(reflect(words, "second"));
  ASSERT_EQ(first.bindings.size(), 1U);
  EXPECT_EQ(first.bindings[0].slot, 0U);
  EXPECT_EQ(first.group_size, (Size{2, 1, 1}));
  ASSERT_EQ(second.bindings.size(), 1U);
  EXPECT_EQ(second.bindings[0].slot, 1U);
  EXPECT_EQ(second.group_size, (Size{3, 1, 1}));
  EXPECT_EQ(second.entry_points.size(), 2U);
}

struct KindCase {
  const char* type;     // declares %type
  const char* storage;  // class of its variable
  BindingKind kind;
  std::uint32_t count;
};

class ReflectionOfKinds : public testing::TestWithParam<KindCase> {};

TEST_P(ReflectionOfKinds, KindAndCount) {
  const auto& wanted = GetParam();
  const auto words = assemble(shader(
      "OpDecorate %variable DescriptorSet 2\nOpDecorate %variable Binding 9\nOpName %variable \"thing\"\n"
      "OpDecorate %block Block\nOpDecorate %old_block BufferBlock\n",
      "%float = OpTypeFloat 32\n%four = OpConstant %uint 4\n%block = OpTypeStruct %uint\n%old_block = OpTypeStruct "
      "%uint\n%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n" +
          std::string(wanted.type) + "\n%pointer = OpTypePointer " + wanted.storage +
          " %type\n%variable = OpVariable " + "%pointer " + wanted.storage + "\n",
      "%copy = OpCopyObject %pointer %variable\n"));
  const auto reflection = must(reflect(words, "main"));
  ASSERT_EQ(reflection.bindings.size(), 1U);
  EXPECT_EQ(reflection.bindings[0].kind, wanted.kind) << name(reflection.bindings[0].kind);
  EXPECT_EQ(reflection.bindings[0].count, wanted.count);
  EXPECT_EQ(reflection.bindings[0].set, 2U);
  EXPECT_EQ(reflection.bindings[0].slot, 9U);
  EXPECT_EQ(reflection.bindings[0].name, "thing");
}

INSTANTIATE_TEST_SUITE_P(
    All, ReflectionOfKinds,
    testing::Values(
        KindCase{"%type = OpTypeArray %block %four", "StorageBuffer", BindingKind::storage_buffer, 4},
        KindCase{"%type = OpTypeRuntimeArray %block", "StorageBuffer", BindingKind::storage_buffer, 0},
        KindCase{"%type = OpTypeArray %block %four", "Uniform", BindingKind::uniform_buffer, 4},
        KindCase{"%type = OpTypeArray %old_block %four", "Uniform", BindingKind::storage_buffer, 4},
        KindCase{"%type = OpTypeImage %float Buffer 0 0 0 1 Unknown", "UniformConstant",
                 BindingKind::uniform_texel_buffer, 1},
        KindCase{"%type = OpTypeImage %float Buffer 0 0 0 2 R32f", "UniformConstant", BindingKind::storage_texel_buffer,
                 1},
        KindCase{"%type = OpTypeImage %float 2D 0 0 0 2 R32f", "UniformConstant", BindingKind::storage_image, 1},
        KindCase{"%type = OpTypeImage %float 3D 0 0 0 1 Unknown", "UniformConstant", BindingKind::sampled_image, 1},
        KindCase{"%type = OpTypeImage %float SubpassData 0 0 0 2 Unknown", "UniformConstant",
                 BindingKind::input_attachment, 1},
        KindCase{"%type = OpTypeSampler", "UniformConstant", BindingKind::sampler, 1},
        KindCase{"%type = OpTypeSampledImage %image", "UniformConstant", BindingKind::combined_image_sampler, 1},
        KindCase{"%type = OpTypeAccelerationStructureKHR", "UniformConstant", BindingKind::acceleration_structure, 1}));

TEST(Reflection, BindingsAreSortedAndSayWhetherTheyAreReadOnly) {
  const auto words = assemble(shader(
      "OpDecorate %in_block Block\nOpDecorate %out_block Block\nOpMemberDecorate %in_block 0 NonWritable\n"
      "OpDecorate %marked NonWritable\nOpName %in_block \"type.ByteAddressBuffer\"\n"
      "OpDecorate %out DescriptorSet 1\nOpDecorate %out Binding 0\nOpDecorate %in DescriptorSet 0\n"
      "OpDecorate %in Binding 5\nOpDecorate %marked DescriptorSet 0\nOpDecorate %marked Binding 2\n",
      "%in_block = OpTypeStruct %uint\n%out_block = OpTypeStruct %uint\n"
      "%in_pointer = OpTypePointer StorageBuffer %in_block\n%out_pointer = OpTypePointer StorageBuffer %out_block\n"
      "%out = OpVariable %out_pointer StorageBuffer\n%in = OpVariable %in_pointer StorageBuffer\n"
      "%marked = OpVariable %out_pointer StorageBuffer\n%unused = OpVariable %out_pointer StorageBuffer\n",
      "%1 = OpLoad %in_block %in\n%2 = OpLoad %out_block %out\n%3 = OpLoad %out_block %marked\n"));
  const auto bindings = must(reflect(words, "main")).bindings;
  ASSERT_EQ(bindings.size(), 3U);
  EXPECT_EQ(bindings[0].slot, 2U);
  EXPECT_TRUE(bindings[0].read_only);
  EXPECT_EQ(bindings[1].slot, 5U);
  EXPECT_TRUE(bindings[1].read_only);
  EXPECT_EQ(bindings[1].name, "type.ByteAddressBuffer");  // the variable has no name of its own
  EXPECT_EQ(bindings[2].set, 1U);
  EXPECT_FALSE(bindings[2].read_only);
}

TEST(Reflection, PushConstantBytesFollowTheLayout) {
  const auto bytes = [](const std::string& decorations, const std::string& types, const std::string& members) {
    return must(reflect(assemble(shader("OpDecorate %block Block\n" + decorations,
                                        "%float = OpTypeFloat 32\n%double = OpTypeFloat 64\n%three = OpConstant %uint "
                                        "3\n%float3 = OpTypeVector %float 3\n%mat = OpTypeMatrix %float3 2\n" +
                                            types + "%block = OpTypeStruct " + members +
                                            "\n%pointer = OpTypePointer PushConstant %block\n"
                                            "%constants = OpVariable %pointer PushConstant\n",
                                        "%value = OpLoad %block %constants\n")),
                        "main"))
        .constants_bytes;
  };
  const std::string at0 = "OpMemberDecorate %block 0 Offset 0\n";
  EXPECT_EQ(bytes(at0, "", "%uint"), 4U);
  EXPECT_EQ(bytes(at0 + "OpMemberDecorate %block 1 Offset 16\n", "", "%uint %float3"), 28U);
  EXPECT_EQ(bytes("OpMemberDecorate %block 0 Offset 8\nOpMemberDecorate %block 1 Offset 0\n", "", "%double %uint"),
            16U);
  EXPECT_EQ(bytes(at0 + "OpDecorate %array ArrayStride 16\n", "%array = OpTypeArray %uint %three\n", "%array"), 48U);
  EXPECT_EQ(bytes(at0 + "OpMemberDecorate %block 0 MatrixStride 16\nOpMemberDecorate %block 0 ColMajor\n", "", "%mat"),
            32U);
  EXPECT_EQ(bytes(at0 + "OpMemberDecorate %block 0 MatrixStride 8\nOpMemberDecorate %block 0 RowMajor\n", "", "%mat"),
            24U);
  EXPECT_EQ(bytes(at0 + "OpMemberDecorate %block 1 Offset 32\nOpMemberDecorate %inner 0 Offset 4\n"
                        "OpMemberDecorate %inner 1 Offset 12\n",
                  "%inner = OpTypeStruct %uint %uint\n", "%uint %inner"),
            48U);
}

TEST(Reflection, DeeplyNestedTypesTakeNoTime) {
  std::string types = "%s0 = OpTypeStruct %uint %uint\n";
  std::string decorations = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n";
  for (int depth = 1; depth <= 100; ++depth) {
    const auto inner = "%s" + std::to_string(depth - 1);
    types.append("%s").append(std::to_string(depth)).append(" = OpTypeStruct ");
    types.append(inner).append(" ").append(inner).append("\n");
  }
  const auto words = assemble(shader(decorations,
                                     types + "%block = OpTypeStruct %s100\n%pointer = OpTypePointer PushConstant "
                                             "%block\n%constants = OpVariable %pointer PushConstant\n",
                                     "%value = OpLoad %block %constants\n"));
  EXPECT_EQ(must(reflect(words, "main")).constants_bytes, 4U);  // without offsets all members lie at 0
}

TEST(Reflection, SpecializationConstants) {
  const auto words = assemble(
      "OpCapability Shader\nOpCapability Int16\nOpCapability Int64\nOpCapability Float64\nOpMemoryModel Logical "
      "GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
      "OpName %a \"radius\"\nOpDecorate %a SpecId 4\nOpDecorate %b SpecId 1\nOpDecorate %c SpecId 2\n"
      "OpDecorate %d SpecId 3\nOpDecorate %e SpecId 9\nOpDecorate %g SpecId 10\n"
      "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%bool = OpTypeBool\n%int = OpTypeInt 32 1\n"
      "%long = OpTypeInt 64 0\n%short = OpTypeInt 16 1\n%float = OpTypeFloat 32\n%double = OpTypeFloat 64\n"
      "%a = OpSpecConstant %int -2\n%b = OpSpecConstantTrue %bool\n%c = OpSpecConstant %long 0x123456789ABCDEF0\n"
      "%d = OpSpecConstant %float 1\n%e = OpSpecConstant %short -1\n%g = OpSpecConstant %double 2\n"
      "%plain = OpConstant %int 7\n%computed = OpSpecConstantOp %int IAdd %a %a\n"
      "%main = OpFunction %void None %function\n%label = OpLabel\nOpReturn\nOpFunctionEnd\n");
  const auto constants = must(reflect(words, "main")).specialization;
  ASSERT_EQ(constants.size(), 6U);
  const auto expect = [&](std::size_t place, std::uint32_t id, std::uint32_t bytes, std::uint64_t value) {
    EXPECT_EQ(constants[place].id, id);
    EXPECT_EQ(constants[place].bytes, bytes) << id;
    EXPECT_EQ(constants[place].default_value, value) << id;
  };
  expect(0, 1, 4, 1);
  EXPECT_EQ(constants[0].type.kind, ScalarInfo::Kind::boolean);
  expect(1, 2, 8, 0x123456789ABCDEF0);
  expect(2, 3, 4, 0x3F800000);
  expect(3, 4, 4, 0xFFFFFFFE);
  EXPECT_EQ(constants[3].name, "radius");
  EXPECT_NE(constants[3].type.kind, ScalarInfo::Kind::boolean);
  expect(4, 9, 2, 0xFFFF);
  expect(5, 10, 8, 0x4000000000000000);
}

TEST(Reflection, GroupSizeFromIdsAndSpecialization) {
  const auto reflection = must(
      reflect(assemble(shader("OpDecorate %x SpecId 20\n", "%x = OpSpecConstant %uint 32\n%y = OpConstant %uint 2\n",
                              "", "OpExecutionModeId %main LocalSizeId %x %y %y\n")),
              "main"));
  EXPECT_EQ(reflection.group_size, (Size{32, 2, 2}));
  EXPECT_EQ(reflection.group_size_constants[0], 20U);
  EXPECT_FALSE(reflection.group_size_constants[1].has_value());
}

TEST(Reflection, TheBuiltInWorkgroupSizeWins) {
  const auto reflection = must(
      reflect(assemble(shader("OpDecorate %y SpecId 21\nOpDecorate %size BuiltIn WorkgroupSize\n",
                              "%uint3 = OpTypeVector %uint 3\n%x = OpConstant %uint 16\n%y = OpSpecConstant %uint 4\n"
                              "%size = OpSpecConstantComposite %uint3 %x %y %x\n",
                              "")),
              "main"));
  EXPECT_EQ(reflection.group_size, (Size{16, 4, 16}));
  EXPECT_FALSE(reflection.group_size_constants[0].has_value());
  EXPECT_EQ(reflection.group_size_constants[1], 21U);
}

TEST(Reflection, RefusesAComputedGroupSize) {
  const auto words = assemble(shader("OpDecorate %x SpecId 20\n",
                                     "%x = OpSpecConstant %uint 32\n%twice = OpSpecConstantOp %uint IAdd %x %x\n", "",
                                     "OpExecutionModeId %main LocalSizeId %twice %x %x\n"));
  EXPECT_TRUE(fails(reflect(words, "main"), ErrorCode::unsupported, "computed"));
}

TEST(Reflection, CountsGroupsharedMemoryThatIsUsed) {
  const auto words =
      assemble(shader("",
                      "%count = OpConstant %uint 64\n%array = OpTypeArray %uint %count\n"
                      "%pointer = OpTypePointer Workgroup %array\n%used = OpVariable %pointer Workgroup\n"
                      "%unused = OpVariable %pointer Workgroup\n",
                      "%value = OpLoad %array %used\n"));
  EXPECT_EQ(must(reflect(words, "main")).groupshared_bytes, 256U);
}

TEST(Reflection, ModesExtensionsCapabilities) {
  const auto reflection =
      must(reflect(assemble(empty_shader(
                       "OpCapability DenormPreserve\nOpExtension \"SPV_KHR_float_controls\"\n"
                       "OpExtension \"SPV_KHR_maximal_reconvergence\"\n",
                       "OpExecutionMode %main DenormPreserve 32\nOpExecutionMode %main MaximallyReconvergesKHR\n")),
                   "main"));
  const auto* denormals = reflection.find_mode(static_cast<std::uint32_t>(spv::ExecutionMode::DenormPreserve));
  ASSERT_NE(denormals, nullptr);
  EXPECT_EQ(denormals->operands, std::vector<std::uint32_t>{32});
  EXPECT_NE(reflection.find_mode(6023), nullptr);
  EXPECT_EQ(reflection.find_mode(99999), nullptr);
  EXPECT_EQ(reflection.extensions,
            (std::vector<std::string>{"SPV_KHR_float_controls", "SPV_KHR_maximal_reconvergence"}));
  EXPECT_TRUE(reflection.has_capability(static_cast<std::uint32_t>(spv::Capability::DenormPreserve)));
  EXPECT_FALSE(reflection.has_capability(static_cast<std::uint32_t>(spv::Capability::Int64)));
}

}  // namespace
}  // namespace crosslane::spirv
