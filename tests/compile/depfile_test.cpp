#include "compile/depfile.hpp"

#include <gtest/gtest.h>

#include <array>

namespace crosslane::compile {
namespace {

TEST(Depfile, ListsOneFileALine) {
  const std::array<std::filesystem::path, 2> files = {"/a/main.hlsl", "/a/header.hlsli"};
  EXPECT_EQ(depfile("out.spv", files), "out.spv: \\\n  /a/main.hlsl \\\n  /a/header.hlsli\n");
  EXPECT_EQ(depfile("out.spv", {}), "out.spv:\n");
}

TEST(Depfile, EscapesWhatMakeWouldRead) {
  const std::array<std::filesystem::path, 1> files = {"/a b/#1/$x"};
  EXPECT_EQ(depfile("my out.spv", files), "my\\ out.spv: \\\n  /a\\ b/\\#1/$$x\n");
}

}  // namespace
}  // namespace crosslane::compile
