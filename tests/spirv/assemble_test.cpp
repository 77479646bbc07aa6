#include "spirv/assemble.hpp"

#include <string>

#include <gtest/gtest.h>

#include "spirv/parse.hpp"
#include "support/expected.hpp"

namespace crosslane::spirv {
namespace {

using test::fails;
using test::must;

constexpr const char* small_module = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n";

Version version_of(const std::string& text) {
  const auto words = must(assemble(text, "a.spvasm"));
  return must(parse(words, [](const Instruction&) { return Expected<void>(); })).version;
}

TEST(Assemble, TheCommentChoosesTheVersion) {
  EXPECT_EQ(version_of(small_module), (Version{1, 6}));
  EXPECT_EQ(version_of(std::string("; SPIR-V\n; Version: 1.3\n") + small_module), (Version{1, 3}));
  EXPECT_EQ(version_of(std::string("; Version: 9.9\n") + small_module), (Version{1, 6}));
}

TEST(Assemble, ErrorsHaveAPlace) {
  EXPECT_TRUE(fails(assemble("OpCapability Shader\n  OpNonsense\n", "a.spvasm"), ErrorCode::invalid_input,
                    "'a.spvasm' cannot be assembled: a.spvasm:2:3"));
  EXPECT_TRUE(fails(assemble("%1 = OpTypeInt 32\n", "a.spvasm"), ErrorCode::invalid_input, "a.spvasm:"));
}

}  // namespace
}  // namespace crosslane::spirv
