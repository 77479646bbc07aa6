#include "compile/include_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crosslane::compile {
namespace {

using testing::ElementsAre;

TEST(IncludeNames, OnlyFoldersBeyondAsciiAreRenamed) {
  std::vector<std::string> arguments = {"-I", "plain", "-Ifolder/ü", "-D", "NAME=ü", "-I", "λ/x", "-I"};
  const IncludeNames names(arguments);
  EXPECT_THAT(arguments, ElementsAre("-I", "plain", "-Ifolder/%C3%BC", "-D", "NAME=ü", "-I", "%CE%BB/x", "-I"));
}

TEST(IncludeNames, PathsAndTextsGetTheRealNamesBack) {
  std::vector<std::string> arguments = {"-I", "/ü", "-I", "/ü/ü", "-I", "λ"};
  const IncludeNames names(arguments);
  EXPECT_EQ(names.real_path("/%C3%BC/a.hlsli"), "/ü/a.hlsli");
  EXPECT_EQ(names.real_path("/%C3%BC/%C3%BC/../a.hlsli"), "/ü/ü/../a.hlsli");
  EXPECT_EQ(names.real_path("./%CE%BB/a.hlsli"), "λ/a.hlsli");
  EXPECT_EQ(names.real_path("/else/%C3%BC"), "/else/%C3%BC");
  EXPECT_EQ(names.real_text("In /%C3%BC/%C3%BC/a:1: and %CE%BB/b:2"), "In /ü/ü/a:1: and λ/b:2");
}

TEST(IncludeNames, WithoutFoldersNothingChanges) {
  std::vector<std::string> arguments = {"a.hlsl"};
  const IncludeNames names(arguments);
  EXPECT_EQ(names.real_path("%C3"), "%C3");
  EXPECT_EQ(names.real_text("%C3"), "%C3");
}

}  // namespace
}  // namespace crosslane::compile
