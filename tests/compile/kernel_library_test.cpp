// The kernels of tests/compile/CMakeLists.txt, compiled and embedded by the build.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spirv/unified1/spirv.hpp>

#include <algorithm>

#include "compile/spirv_questions.hpp"
#include "kernels/kernel.hpp"
#include "spirv/reflection.hpp"
#include "spirv/validate.hpp"

namespace compile_test {
std::span<const crosslane::Kernel> kernels();
}  // namespace compile_test

namespace crosslane::compile {
namespace {

using spirv::Instruction;

TEST(KernelLibrary, HoldsEachVariantOnceSortedByName) {
  std::vector<std::string_view> names;
  for (const Kernel& kernel : compile_test::kernels()) {
    names.push_back(kernel.name);
  }
  EXPECT_THAT(names, testing::ElementsAre("scale.float.3", "scale.float.5", "scale.half", "scale.int.3", "scale.int.5",
                                          "scale.uint.3", "scale.uint.5"));
}

TEST(KernelLibrary, EachKernelIsAValidModuleWithTheEntryPointMain) {
  for (const Kernel& kernel : compile_test::kernels()) {
    EXPECT_TRUE(spirv::validate(kernel.spirv)) << kernel.name;
    const auto reflection = spirv::reflect(kernel.spirv, "main");
    ASSERT_TRUE(reflection) << kernel.name;
    EXPECT_EQ(reflection->entry_point.name, "main") << kernel.name;
  }
}

TEST(KernelLibrary, DefinesMakeTheVariants) {
  const auto* const found = find_kernel(compile_test::kernels(), "scale.uint.5");
  ASSERT_NE(found, nullptr);
  // The header's 2 and the define's 5.
  EXPECT_TRUE(any_instruction(found->spirv, [](const Instruction& instruction) {
    return instruction.opcode == spv::OpConstant && instruction.words[3] == 7;
  }));
  EXPECT_EQ(find_kernel(compile_test::kernels(), "scale.uint.4"), nullptr);
}

TEST(KernelLibrary, Types16AreRealOnlyWhereAskedFor) {
  const auto is_half = [](const Instruction& instruction) {
    return instruction.opcode == spv::OpTypeFloat && instruction.words[2] == 16;
  };
  for (const Kernel& kernel : compile_test::kernels()) {
    EXPECT_EQ(any_instruction(kernel.spirv, is_half), kernel.name == "scale.half") << kernel.name;
  }
}

}  // namespace
}  // namespace crosslane::compile
