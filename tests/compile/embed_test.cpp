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
  EXPECT_LT(file->find("Kernel{\"a.x\", spirv_0}"), file->find("Kernel{\"b\", spirv_1}"));
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

}  // namespace
}  // namespace crosslane::compile
