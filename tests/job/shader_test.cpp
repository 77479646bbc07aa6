#include "job/shader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::job {
namespace {

using crosslane::test::fails;
using crosslane::test::must;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const FindCompiler no_compiler = []() -> Expected<const compile::Compiler*> {
  return fail(ErrorCode::compiler, "there is no compiler");
};

constexpr const char* small_glsl = "#version 450\nlayout(local_size_x = 3) in;\nvoid main() {}\n";

TEST(Shader, LanguagesAreKnownByTheirFiles) {
  EXPECT_EQ(language_of("a/b.hlsl"), Language::hlsl);
  EXPECT_EQ(language_of("b.comp"), Language::glsl);
  EXPECT_EQ(language_of("b.glsl"), Language::glsl);
  EXPECT_EQ(language_of("b.spv"), Language::spirv);
  EXPECT_EQ(language_of("b.spvasm"), Language::spirv_assembly);
  EXPECT_EQ(language_of("b.txt"), std::nullopt);
  EXPECT_EQ(language_of("hlsl"), std::nullopt);
}

TEST(Shader, GlslNeedsNoOtherCompiler) {
  const auto shader =
      must(load_shader({.file = "b.comp", .language = Language::glsl, .text = small_glsl}, no_compiler));
  EXPECT_FALSE(shader.registers);
  EXPECT_FALSE(shader.words.empty());
  EXPECT_TRUE(
      fails(load_shader({.file = "b.comp", .language = Language::glsl, .text = small_glsl, .entry_point = "other"},
                        no_compiler),
            ErrorCode::invalid_argument, "main, not 'other'"));
}

TEST(Shader, HlslNeedsItsCompiler) {
  EXPECT_TRUE(fails(load_shader({.file = "b.hlsl", .text = "void main() {}"}, no_compiler), ErrorCode::compiler,
                    "'b.hlsl' needs the DirectX Shader Compiler"));
}

TEST(Shader, SpirvIsReadAsItIs) {
  EXPECT_TRUE(fails(load_shader({.file = "/nowhere/b.spv", .language = Language::spirv}, no_compiler),
                    ErrorCode::invalid_input, "cannot read '/nowhere/b.spv'"));
  EXPECT_TRUE(fails(load_shader({.file = "/", .language = Language::spirv}, no_compiler), ErrorCode::invalid_input,
                    "it is a folder"));
  EXPECT_TRUE(
      fails(load_shader({.file = "b.spvasm", .language = Language::spirv_assembly, .text = "nonsense"}, no_compiler),
            ErrorCode::invalid_input, "b.spvasm:1:1"));
  EXPECT_TRUE(fails(load_shader({.file = "b.spv", .language = Language::spirv, .defines = {{"A", "1"}}}, no_compiler),
                    ErrorCode::invalid_argument, "compiled already"));
}

TEST(Shader, FlagsOfTheCompilerAreUnderstood) {
  ShaderSource source;
  EXPECT_TRUE(apply_flags({}, source).has_value());
  EXPECT_FALSE(source.types16) << "only with its flag";
  must(apply_flags({"-T", "cs_6_4", "-E", "start", "-D", "A=1", "-DB", "-I", "folder", "-Ithere", "-enable-16bit-types",
                    "-fspv-target-env=vulkan1.1", "-spirv", "-O1", "-HV", "202x"},
                   source));
  EXPECT_EQ(source.profile, "cs_6_4");
  EXPECT_EQ(source.entry_point, "start");
  EXPECT_THAT(source.defines, ElementsAre(Pair("A", "1"), Pair("B", "1")));
  EXPECT_THAT(source.include_directories, ElementsAre("folder", "there"));
  EXPECT_TRUE(source.types16);
  EXPECT_EQ(source.environment, "vulkan1.1");
  EXPECT_THAT(source.arguments, ElementsAre("-O1", "-HV", "202x"));
  EXPECT_TRUE(fails(apply_flags({"-T"}, source), ErrorCode::invalid_input, "-T has no value"));
}

}  // namespace
}  // namespace crosslane::job
