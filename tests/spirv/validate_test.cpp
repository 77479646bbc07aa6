#include "spirv/validate.hpp"

#include <gtest/gtest.h>

#include "spirv/modules.hpp"
#include "support/assemble.hpp"
#include "support/expected.hpp"

namespace crosslane::spirv {
namespace {

using test::assemble;
using test::empty_shader;
using test::fails;
using test::must;

TEST(Validate, TakesAValidModule) {
  must(validate(assemble(empty_shader())));
  must(validate(assemble(empty_shader()), {"vulkan1.3"}));
}

TEST(Validate, SaysWhatIsWrong) {
  const auto module = assemble(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n"
      "%uint = OpTypeInt 32 0\n%f = OpTypeFunction %uint\n%main = OpFunction %uint None %f\n"
      "%l = OpLabel\nOpReturn\nOpFunctionEnd\n");
  const auto result = validate(module);
  EXPECT_TRUE(fails(result, ErrorCode::invalid_input, "breaks the rules of vulkan1.2"));
  ASSERT_FALSE(result.error().reasons.empty());
  EXPECT_FALSE(result.error().reasons[0].empty());
}

TEST(Validate, KnowsTheEnvironmentsRules) {
  // LocalSize is missing: SPIR-V has no need of it, Vulkan has.
  const auto module = assemble(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %main \"main\"\n%void = OpTypeVoid\n"
      "%f = OpTypeFunction %void\n%main = OpFunction %void None %f\n%l = OpLabel\nOpReturn\n"
      "OpFunctionEnd\n");
  must(validate(module, {"spv1.5"}));
  EXPECT_TRUE(fails(validate(module, {"vulkan1.2"}), ErrorCode::invalid_input, "LocalSize"));
}

TEST(Validate, LocalSizeIdIsAllowedWhereAskedFor) {
  const auto module = assemble(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %main \"main\"\nOpExecutionModeId %main LocalSizeId %x %x %x\n"
      "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%x = OpConstant %uint 4\n"
      "%f = OpTypeFunction %void\n%main = OpFunction %void None %f\n%l = OpLabel\nOpReturn\n"
      "OpFunctionEnd\n");
  EXPECT_TRUE(fails(validate(module, {"vulkan1.2"}), ErrorCode::invalid_input, "LocalSizeId"));
  must(validate(module, {"vulkan1.2", false, true}));
}

TEST(Validate, RefusesAnUnknownEnvironment) {
  EXPECT_TRUE(fails(validate(assemble(empty_shader()), {"vulkan9"}), ErrorCode::invalid_argument, "vulkan9"));
}

}  // namespace
}  // namespace crosslane::spirv
