#include "compile/embed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crosslane::compile {
namespace {

using testing::HasSubstr;

TEST(Embed, SortsByNameAndDefinesTheFunction) {
  const auto file = embed("my::own::kernels", {{"b", {2, 0xFFFFFFFF}}, {"a.x", {1}}});
  ASSERT_TRUE(file);
  EXPECT_LT(file->find("// a.x"), file->find("// b"));
  EXPECT_LT(file->find("Kernel{\"a.x\", spirv_0, {}}"), file->find("Kernel{\"b\", spirv_1, {}}"));
  EXPECT_THAT(*file, HasSubstr("0x2, 0xffffffff,"));
  EXPECT_THAT(*file, HasSubstr("namespace my::own {\nstd::span<const crosslane::Kernel> kernels()"));
}

TEST(Embed, AFunctionOfNoNamespaceIsFine) {
  const auto file = embed("kernels", {});
  ASSERT_TRUE(file);
  EXPECT_THAT(*file, HasSubstr("\n\nstd::span<const crosslane::Kernel> kernels() { return table; }\n"));
}

TEST(Embed, RefusesTwoKernelsOfOneName) {
  const auto file = embed("kernels", {{"same", {1}}, {"other", {1}}, {"same", {2}}});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(file.error().message, HasSubstr("two kernels named 'same'"));
}

TEST(Embed, RefusesNamesThatCannotStandInCpp) {
  for (const char* const name : {"", "a b", "a\"", "a\\", "a/b"}) {
    EXPECT_FALSE(embed("kernels", {{name, {1}}})) << name;
  }
  for (const char* const function : {"", "::", "a::", "::a", "1a", "a::1b", "a b", "a:b", "a-b"}) {
    EXPECT_FALSE(embed(function, {})) << function;
  }
}

TEST(Embed, PutsTheVariantsForDirect3DBesideTheModule) {
  const auto file = embed("kernels", {{"plain", {7}}, {"two", {8}, {"constexpr int any;\n", "constexpr int wave;\n"}}});
  ASSERT_TRUE(file);
  EXPECT_NE(file->find("namespace dxil_1 {\nnamespace variant_0 {\nconstexpr int any;"), std::string::npos);
  EXPECT_NE(file->find("namespace variant_1 {\nconstexpr int wave;"), std::string::npos);
  EXPECT_NE(file->find("std::array<crosslane::DxilShader, 2> shaders = {variant_0::shader, variant_1::shader, };"),
            std::string::npos);
  EXPECT_NE(file->find("Kernel{\"two\", spirv_1, dxil_1::shaders}"), std::string::npos);
  EXPECT_NE(file->find("Kernel{\"plain\", spirv_0, {}}"), std::string::npos);
}

}  // namespace
}  // namespace crosslane::compile
