#include <gtest/gtest.h>

#include "device/shaders.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::affine_shader;
using test::AffineOptions;
using test::device;
using test::fails;
using test::must;

Expected<std::unique_ptr<Pipeline>> make(const std::vector<std::uint32_t>& spirv,
                                         PipelineDescription description = {}) {
  description.spirv = spirv;
  description.name = "the shader";
  return device().create_pipeline(description);
}

TEST(Pipeline, TellsItsSizes) {
  const auto pipeline = must(make(affine_shader()));
  EXPECT_EQ(pipeline->group_size(), (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(pipeline->wave_size(), device().info().wave_sizes.standard);
}

TEST(Pipeline, RefusesMalformedAndInvalidShaders) {
  EXPECT_TRUE(fails(make({}), ErrorCode::invalid_input, "0 words"));
  EXPECT_TRUE(fails(make(std::vector<std::uint32_t>(100, 7)), ErrorCode::invalid_input, "0x00000007"));
  auto cut = affine_shader();
  cut.resize(cut.size() / 2);
  EXPECT_TRUE(fails(make(cut), ErrorCode::invalid_input, "the shader"));
  // Well-formed, but a value is used that nothing defines.
  const auto invalid = affine_shader({.statements = "%bad = OpIAdd %uint %nothing %nothing\n"});
  EXPECT_TRUE(fails(make(invalid), ErrorCode::invalid_input, "not valid"));
}

TEST(Pipeline, RefusesAnUnknownEntryPoint) {
  EXPECT_TRUE(fails(make(affine_shader(), {.entry_point = "blur"}), ErrorCode::invalid_argument, "it has \"main\""));
}

TEST(Pipeline, RefusesShadersOfOtherStages) {
  const auto vertex = test::assemble(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %main "main"
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %main = OpFunction %void None %function
    %label = OpLabel
    OpReturn
    OpFunctionEnd
  )");
  EXPECT_TRUE(fails(make(vertex), ErrorCode::unsupported, "no compute shader"));
}

TEST(Pipeline, TrimsCapabilitiesThatTheShaderDoesNotNeed) {
  must(make(affine_shader({.capabilities = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformPartitionedNV\n"
                                           "OpExtension \"SPV_NV_shader_subgroup_partitioned\"\n"})));
}

TEST(Pipeline, StripsMaximalReconvergenceWhereTheDeviceLacksIt) {
  must(make(affine_shader({.capabilities = "OpExtension \"SPV_KHR_maximal_reconvergence\"\n",
                           .modes = "OpExecutionMode %main MaximallyReconvergesKHR\n"})));
}

TEST(Pipeline, StripsWhatOnlyToolsRead) {
  must(make(affine_shader({.capabilities = "OpExtension \"SPV_GOOGLE_user_type\"\n"})));
}

TEST(Pipeline, RefusesACapabilityThatTheDeviceLacksAndNamesBoth) {
  // Used, so that it cannot be trimmed: there is no software driver that has it.
  const auto spirv = affine_shader({.capabilities = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformBallot\n"
                                                    "OpCapability GroupNonUniformPartitionedNV\n"
                                                    "OpExtension \"SPV_NV_shader_subgroup_partitioned\"\n",
                                    .declarations = "%uint4 = OpTypeVector %uint 4\n",
                                    .statements = "%p = OpGroupNonUniformPartitionNV %uint4 %1\n"});
  const auto result = make(spirv);
  if (device().info().kind == DeviceKind::gpu && result) {
    GTEST_SKIP() << "this device has partitioned operations";
  }
  EXPECT_TRUE(fails(result, ErrorCode::unsupported, "GroupNonUniformPartitionedNV"));
  EXPECT_TRUE(fails(result, ErrorCode::unsupported, device().info().name));
  EXPECT_TRUE(fails(result, ErrorCode::unsupported, "the shader"));
}

TEST(Pipeline, RefusesAFloatModeThatTheDeviceLacks) {
  if (device().info().features.denormals_preserved32) {
    GTEST_SKIP() << "this device has the mode";
  }
  const auto spirv =
      affine_shader({.capabilities = "OpCapability DenormPreserve\nOpExtension \"SPV_KHR_float_controls\"\n",
                     .modes = "OpExecutionMode %main DenormPreserve 32\n"});
  EXPECT_TRUE(fails(make(spirv), ErrorCode::unsupported, "execution mode DenormPreserve 32"));
}

TEST(Pipeline, RefusesResourcesThatCannotBeBound) {
  const auto with = [](const std::string& type, const std::string& storage) {
    const bool unbounded = type.find("RuntimeArray") != std::string::npos;
    return affine_shader({.capabilities = unbounded ? "OpCapability RuntimeDescriptorArray\n"
                                                      "OpExtension \"SPV_EXT_descriptor_indexing\"\n"
                                                    : "",
                          .decorations = "OpDecorate %extra DescriptorSet 0\nOpDecorate %extra Binding 4\n"
                                         "OpDecorate %extra_block Block\nOpMemberDecorate %extra_block 0 Offset 0\n",
                          .declarations = "%float = OpTypeFloat 32\n%two = OpConstant %uint 2\n"
                                          "%extra_block = OpTypeStruct %uint\n" +
                                          type + "%to_extra = OpTypePointer " + storage +
                                          " %extra_type\n%extra = OpVariable %to_extra " + storage + "\n",
                          .statements = storage == "UniformConstant"
                                            ? "%used = OpLoad %extra_type %extra\n"
                                            : "%used = OpAccessChain %to_word %extra %0 %0\n"});
  };
  EXPECT_TRUE(fails(make(with("%extra_type = OpTypeImage %float 2D 0 0 1 1 Unknown\n", "UniformConstant")),
                    ErrorCode::unsupported, "a multisampled sampled image cannot be bound"));
  EXPECT_TRUE(fails(make(with("%extra_type = OpTypeRuntimeArray %extra_block\n", "StorageBuffer")),
                    ErrorCode::unsupported, "without a fixed size"));
}

TEST(Pipeline, RefusesConstantsThatTheShaderDoesNotHaveOrTwice) {
  EXPECT_TRUE(fails(make(affine_shader(), {.constants = {{4, 1}}}), ErrorCode::invalid_argument,
                    "no specialization constant 4"));
  EXPECT_TRUE(fails(make(affine_shader(), {.constants = {{5, 1}, {5, 2}}}), ErrorCode::invalid_argument, "twice"));
}

TEST(Pipeline, GroupSizeCanBeSpecialized) {
  const AffineOptions options{
      .decorations = "OpDecorate %x SpecId 8\nOpDecorate %size BuiltIn WorkgroupSize\n",
      .declarations = "%x = OpSpecConstant %uint 16\n%size = OpSpecConstantComposite %uint3 %x %1 %1\n"};
  const auto spirv = affine_shader(options);
  EXPECT_EQ(must(make(spirv))->group_size()[0], 16U);
  EXPECT_EQ(must(make(spirv, {.constants = {{8, 48}}}))->group_size()[0], 48U);
  const auto most = std::uint64_t{device().info().limits.group_threads};
  EXPECT_TRUE(fails(make(spirv, {.constants = {{8, most * 8}}}), ErrorCode::unsupported, std::to_string(most * 8)));
  EXPECT_TRUE(fails(make(spirv, {.constants = {{8, 0}}}), ErrorCode::invalid_argument, "0 threads"));
}

TEST(Pipeline, RefusesGroupsAndGroupsharedMemoryBeyondTheLimits) {
  const auto& limits = device().info().limits;
  const auto threads = std::to_string(limits.group_threads);
  EXPECT_TRUE(fails(make(affine_shader({.size = "OpExecutionMode %main LocalSize 64 64 64\n"})), ErrorCode::unsupported,
                    threads));
  const auto words = limits.groupshared_bytes / 4 + 1;
  const auto spirv = affine_shader(
      {.declarations = "%many = OpConstant %uint " + std::to_string(words) +
                       "\n%array = OpTypeArray %uint %many\n%to_array = OpTypePointer Workgroup %array\n"
                       "%to_shared_word = OpTypePointer Workgroup %uint\n%shared = OpVariable %to_array Workgroup\n",
       .statements = "%word = OpAccessChain %to_shared_word %shared %0\nOpStore %word %0\n"});
  EXPECT_TRUE(fails(make(spirv), ErrorCode::unsupported, std::to_string(words * 4) + " bytes of groupshared"));
}

TEST(Pipeline, RefusesWaveSizesThatTheDeviceDoesNotHave) {
  const auto& sizes = device().info().wave_sizes;
  const auto with = [](std::uint32_t lanes) { return make(affine_shader(), {.wave_size = lanes}); };
  for (const auto lanes :
       {std::uint32_t{0}, std::uint32_t{3}, sizes.maximum * 2, sizes.minimum / 2, sizes.minimum + 1}) {
    EXPECT_TRUE(fails(with(lanes), ErrorCode::unsupported, "waves of " + std::to_string(lanes) + " lanes"));
  }
  EXPECT_EQ(must(with(sizes.standard))->wave_size(), sizes.standard);
}

TEST(Pipeline, TheWaveSizeIsTheOneThatTheShaderSees) {
  const auto out = must(device().create_buffer({256}));
  const auto spirv = test::wave_size_shader();
  const auto& sizes = device().info().wave_sizes;
  for (auto lanes = sizes.minimum; lanes <= sizes.maximum; lanes *= 2) {
    const auto pipeline = must(make(spirv, {.wave_size = lanes}));
    EXPECT_EQ(pipeline->wave_size(), lanes);
    const auto list = must(device().create_command_list());
    const Binding binding{0, out.get()};
    must(list->dispatch(*pipeline, {&binding, 1}, {}, {1, 1, 1}));
    must(run(device(), *list));
    std::vector<std::uint32_t> seen(64);
    must(download(device(), *out, std::as_writable_bytes(std::span(seen))));
    EXPECT_EQ(seen, std::vector<std::uint32_t>(64, lanes));
  }
}

}  // namespace
}  // namespace crosslane
