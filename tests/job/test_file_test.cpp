#include "job/test_file.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::job {
namespace {

using crosslane::test::fails;
using crosslane::test::must;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const HasFeature vulkan_only = [](std::string_view feature) { return feature == "Vulkan"; };

// A file with two sections and these lines behind them.
TestFile file(const std::string& lines) {
  return must(TestFile::parse("#--- source.hlsl\nvoid main() {}\n//--- pipeline.yaml\nShaders: []\n#--- end\n" + lines,
                              "a.test"));
}

constexpr const char* usual_runs =
    "# RUN: split-file %s %t\n"
    "# RUN: %dxc_target -T cs_6_5 -O1 -Fo %t.o %t/source.hlsl\n"
    "# RUN: %offloader %t/pipeline.yaml %t.o\n";

TEST(TestFile, IsCutAtItsMarkers) {
  const auto cut =
      must(TestFile::parse("ignored\n;--- first\none\n\ntwo\n//--- second.hlsl\r\nthree\n#---none\n"
                           "# --- none\n#--- end\n",
                           "a.test"));
  ASSERT_THAT(cut.sections(), SizeIs(3));
  EXPECT_EQ(cut.sections()[0].name, "first");
  EXPECT_EQ(cut.sections()[0].text, "one\n\ntwo\n");
  EXPECT_EQ(cut.sections()[0].first_line, 3U);
  EXPECT_EQ(cut.sections()[1].name, "second.hlsl");
  EXPECT_EQ(cut.sections()[1].text, "three\n#---none\n# --- none\n");
  EXPECT_EQ(cut.sections()[1].first_line, 7U);
  EXPECT_EQ(cut.sections()[2].text, "");
  EXPECT_TRUE(fails(TestFile::parse("#--- a\n#--- a\n", "a.test"), ErrorCode::invalid_input, "a.test:2"));
}

TEST(TestFile, RunLinesSayWhatIsCompiledAndRun) {
  const auto parsed = file(usual_runs);
  const auto runs = must(parsed.runs(vulkan_only));
  ASSERT_THAT(runs.runs, SizeIs(1));
  EXPECT_EQ(runs.runs[0].source, &parsed.sections()[0]);
  EXPECT_EQ(runs.runs[0].pipeline, &parsed.sections()[1]);
  EXPECT_THAT(runs.runs[0].compiler_flags, ElementsAre("-T", "cs_6_5", "-O1"));
  EXPECT_THAT(runs.skipped, IsEmpty());
}

TEST(TestFile, SeveralRunsKeepTheirObjectsApart) {
  const auto parsed = file(
      "# RUN: %dxc_target -DN=1 -Fo %t.1.o %t/source.hlsl\n"
      "# RUN: %dxc_target -DN=2 -Fo %t.2.o %t/source.hlsl\n"
      "# RUN: %offloader %t/pipeline.yaml %t.1.o\n"
      "# RUN: %offloader %t/pipeline.yaml %t.2.o\n");
  const auto runs = must(parsed.runs(vulkan_only)).runs;
  ASSERT_THAT(runs, SizeIs(2));
  EXPECT_THAT(runs[0].compiler_flags, ElementsAre("-DN=1"));
  EXPECT_THAT(runs[1].compiler_flags, ElementsAre("-DN=2"));
}

TEST(TestFile, ConditionsChooseTheCommands) {
  const auto parsed = file(
      "# RUN: %if !Vulkan %{ %dxc_target -T cs_6_0 -Fo %t.o %t/source.hlsl %}\n"
      "# RUN: %if Vulkan %{ %dxc_target -T cs_6_1 \\\n"
      "# RUN:   -Fo %t.o %t/source.hlsl %} %else %{ nothing %}\n"
      "# RUN: %offloader %t/pipeline.yaml %t.o\n");
  EXPECT_THAT(must(parsed.runs(vulkan_only)).runs.at(0).compiler_flags, ElementsAre("-T", "cs_6_1"));
  EXPECT_EQ(must(decide_conditions("a %if X %{ b %} %else %{ c %if Vulkan %{ d %} %} e", vulkan_only)), "a  c  d  e");
  EXPECT_TRUE(fails(decide_conditions("%if Vulkan b", vulkan_only), ErrorCode::invalid_input, "%{"));
  EXPECT_TRUE(fails(decide_conditions("%if Vulkan %{ b", vulkan_only), ErrorCode::invalid_input, "has no %}"));
  EXPECT_TRUE(fails(decide_conditions("%if && %{ b %}", vulkan_only), ErrorCode::invalid_input, "no condition"));
}

TEST(TestFile, OtherCommandsAreToldAndSkipped) {
  const auto parsed = file(std::string(usual_runs) +
                           "# RUN: %offloader %t/pipeline.yaml %t.o | FileCheck %s\n"
                           "# RUN: not %offloader %t/pipeline.yaml %t.o\n"
                           "# RUN: imgdiff a b\n"
                           "# CHECK: Data: [ 1 ]\n");
  const auto runs = must(parsed.runs(vulkan_only));
  EXPECT_THAT(runs.runs, SizeIs(2));
  EXPECT_THAT(runs.skipped, ElementsAre("line 9: the checks of FileCheck", "line 10: the command not",
                                        "line 11: the command imgdiff"));
}

TEST(TestFile, CommandsThatNameNothingAreErrors) {
  EXPECT_TRUE(fails(file("# RUN: %dxc_target -Fo %t.o %t/other.hlsl\n").runs(vulkan_only), ErrorCode::invalid_input,
                    "a.test:6: there is no section 'other.hlsl'"));
  EXPECT_TRUE(fails(file("# RUN: %dxc_target %t/source.hlsl\n").runs(vulkan_only), ErrorCode::invalid_input, "-Fo"));
  EXPECT_TRUE(fails(file("# RUN: %offloader %t/pipeline.yaml %t.o\n").runs(vulkan_only), ErrorCode::invalid_input,
                    "what was compiled"));
  EXPECT_TRUE(fails(file("").runs(vulkan_only), ErrorCode::invalid_input, "no RUN line"));
  EXPECT_TRUE(fails(file("# RUN: %if X %{\n").runs(vulkan_only), ErrorCode::invalid_input, "a.test:6"));
}

TEST(TestFile, RequirementsAreListed) {
  const auto parsed = file(
      "# REQUIRES: Half, WaveSize_32\n"
      "// UNSUPPORTED: Clang && Vulkan\n"
      "# XFAIL: Metal\n"
      "# PREREQUIRES: nothing\n"
      "# REQUIRES: Int64\n");
  ASSERT_THAT(parsed.required(), SizeIs(3));
  EXPECT_EQ(parsed.required()[0].condition, "Half");
  EXPECT_EQ(parsed.required()[1].condition, "WaveSize_32");
  EXPECT_EQ(parsed.required()[1].line, 6U);
  EXPECT_EQ(parsed.required()[2].line, 10U);
  EXPECT_EQ(parsed.unsupported().at(0).condition, "Clang && Vulkan");
  EXPECT_EQ(parsed.expected_failures().at(0).condition, "Metal");
}

TEST(TestFile, WordsAreCutAsByAShell) {
  EXPECT_THAT(shell_words("  a 'b c'  \"d\"e f\\ g \t''"), ElementsAre("a", "b c", "de", "f g", ""));
  EXPECT_THAT(shell_words(""), IsEmpty());
}

}  // namespace
}  // namespace crosslane::job
