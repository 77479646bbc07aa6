// `crosslane run`: what it says of results, what it skips, and its exit codes.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"

namespace crosslane::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* shader = R"(
RWStructuredBuffer<float> Out : register(u0);
[numthreads(8, 1, 1)]
void main(uint thread : SV_GroupIndex) { Out[thread] = OFFSET + thread; }
)";

std::string job(const std::string& expected, const std::string& rule = "Rule: BufferExact") {
  return R"(Shaders:
  - { Stage: Compute, Entry: main }
Buffers:
  - { Name: Out, Format: Float32, Stride: 4, FillSize: 32 }
  - { Name: Expected, Format: Float32, Stride: 4, Data: [ )" +
         expected + R"( ] }
Results:
  - { Result: Count, )" +
         rule + R"(, Actual: Out, Expected: Expected }
DescriptorSets:
  - Resources:
    - { Name: Out, Kind: RWStructuredBuffer, DirectXBinding: { Register: 0, Space: 0 } }
)";
}

std::string test_file(const std::string& lines, const std::string& flags = "-T cs_6_0 -DOFFSET=0") {
  return "#--- source.hlsl" + std::string(shader) + "//--- pipeline.yaml\n" + job("0, 1, 2, 3, 4, 5, 6, 7") +
         "#--- end\n" + lines + "# RUN: split-file %s %t\n# RUN: %dxc_target " + flags +
         " -Fo %t.o %t/source.hlsl\n# RUN: %offloader %t/pipeline.yaml %t.o\n";
}

test::RunOptions no_drivers() {
  return {.environment = {{"VK_DRIVER_FILES", "/nowhere"}, {"VK_ICD_FILENAMES", "/nowhere"}}};
}

class Run : public test::ProgramTest {
 protected:
  test::Outcome run_shader(const std::string& expected, std::vector<std::string> flags = {},
                           const std::string& rule = "Rule: BufferExact") {
    test::write_file(folder_ / "count.hlsl", shader);
    test::write_file(folder_ / "count.yaml", job(expected, rule));
    std::vector<std::string> arguments = {"run",      "count.hlsl", "--job",    "count.yaml",
                                          "--device", "vulkan:0",   "--define", "OFFSET=0"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run(arguments);
  }

  test::Outcome run_test(const std::string& text, std::vector<std::string> flags = {}) {
    test::write_file(folder_ / "a.test", text);
    std::vector<std::string> arguments = {"run", "a.test", "--device", "vulkan:0"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run(arguments);
  }
};

TEST_F(Run, TellsWhatHolds) {
  const auto outcome = run_shader("0, 1, 2, 3, 4, 5, 6, 7");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("count.hlsl on vulkan:0: "), HasSubstr("1 × 1 × 1 thread groups of 8 × 1 × 1 threads"),
                    HasSubstr(std::to_string(test::expected_wave_size()) + " lanes per wave"),
                    HasSubstr("Count: holds (BufferExact, 8 numbers)"), HasSubstr("the result holds")));
}

TEST_F(Run, TellsTheFirstDifferencesWithBothValues) {
  const auto outcome = run_shader("0, 1, 2.5, 3, 40, 50, 60, 70");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("Count: FAILS (BufferExact): 5 of 8 numbers differ"),
                                 HasSubstr("Out[2]: 2, expected 2.5"), HasSubstr("Out[7]: 7, expected 70"),
                                 Not(HasSubstr("…")), HasSubstr("the result FAILS")));
  EXPECT_THAT(run_shader("0, -1, -2, -3, -4, -5, -6, -7").out, HasSubstr("    …\n"));

  const auto json = run_shader("0, 1, 2.5, 3, 4, 5, 6, 7", {"--json"});
  EXPECT_EQ(json.exit_code, 1);
  const auto document = json.json();
  EXPECT_EQ(document["all_hold"], false);
  const auto& result = document["runs"][0]["results"][0];
  EXPECT_EQ(result["name"], "Count");
  EXPECT_EQ(result["rule"], "BufferExact");
  EXPECT_EQ(result["holds"], false);
  EXPECT_EQ(result["compared"], 8);
  EXPECT_EQ(result["differing"], 1);
  EXPECT_EQ(result["differences"][0]["place"], "Out[2]");
  EXPECT_EQ(result["differences"][0]["index"], 2);
  EXPECT_EQ(result["differences"][0]["actual"], "2");
  EXPECT_EQ(result["differences"][0]["expected"], "2.5");
}

TEST_F(Run, RulesForgiveWhatTheySay) {
  EXPECT_EQ(run_shader("0, 1, 2, 3, 4, 5, 6, 7.0000005", {}, "Rule: BufferFloatULP, ULPT: 1").exit_code, 0);
  EXPECT_EQ(run_shader("0, 1, 2, 3, 4, 5, 6, 7.000002", {}, "Rule: BufferFloatULP, ULPT: 1").exit_code, 1);
  EXPECT_EQ(run_shader("0, 1, 2, 3, 4, 5, 6, 7.25", {}, "Rule: BufferFloatEpsilon, Epsilon: 0.5").exit_code, 0);
  const auto sizes = run_shader("0, 1");
  EXPECT_EQ(sizes.exit_code, 1);
  EXPECT_THAT(sizes.out, HasSubstr("'Out' has 32 bytes, but 'Expected' has 8 bytes"));
}

TEST_F(Run, FlagsWinOverTheJob) {
  EXPECT_THAT(run_shader("0, 1, 2, 3, 4, 5, 6, 7", {"--groups", "2,3"}).out, HasSubstr("2 × 3 × 1 thread groups"));
  const auto same = std::to_string(test::expected_wave_size());
  EXPECT_EQ(run_shader("0, 1, 2, 3, 4, 5, 6, 7", {"--wave-size", same}).exit_code, 0);
  const auto other = run_shader("0, 1, 2, 3, 4, 5, 6, 7", {"--wave-size", "128"});
  EXPECT_EQ(other.exit_code, 2) << other.out;
  EXPECT_THAT(other.err, HasSubstr("128"));
  const auto entry = run_shader("0, 1, 2, 3, 4, 5, 6, 7", {"--entry", "other"});
  EXPECT_EQ(entry.exit_code, 2);
  EXPECT_THAT(entry.err, HasSubstr("no function 'other'"));
}

TEST_F(Run, TestFilesBringEverything) {
  const auto outcome = run_test(test_file(""));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("the result holds"));
  const auto failing = run_test(test_file("# XFAIL: Vulkan && DXC\n", "-T cs_6_0 -DOFFSET=1"));
  EXPECT_EQ(failing.exit_code, 1);
  EXPECT_THAT(failing.out,
              AllOf(HasSubstr("expects to fail (XFAIL: Vulkan && DXC)"), HasSubstr("Out[0]: 1, expected 0")));
}

TEST_F(Run, WhatTheDeviceLacksIsSkipped) {
  for (const auto& [lines, why] :
       {std::pair{"# REQUIRES: WaveSize_128\n", "it requires WaveSize_128, which vulkan:0 lacks"},
        std::pair{"# REQUIRES: DirectX\n", "it requires DirectX"},
        std::pair{"# UNSUPPORTED: DXC\n", "it is not for DXC"}}) {
    const auto outcome = run_test(test_file(lines));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr(std::string("skipped: ") + why), Not(HasSubstr("hold"))));
    const auto json = run_test(test_file(lines), {"--json"}).json();
    EXPECT_THAT(json["skipped"].get<std::string>(), HasSubstr(why));
    EXPECT_TRUE(json["runs"].empty());
  }
  const auto same = "# REQUIRES: WaveSize_" + std::to_string(test::expected_wave_size()) + "\n";
  EXPECT_THAT(run_test(test_file(same)).out, HasSubstr("the result holds"));
}

TEST_F(Run, MultisampledTexturesAndGraphicsAreSkipped) {
  test::write_file(folder_ / "count.hlsl", shader);
  test::write_file(folder_ / "texture.yaml",
                   "Shaders:\n  - { Stage: Compute, Entry: main }\nBuffers:\n"
                   "  - { Name: T, Format: Hex32, Data: [ 1 ], OutputProps: { Width: 1, Height: 1, Depth: 1 } }\n"
                   "DescriptorSets:\n  - Resources:\n"
                   "    - { Name: T, Kind: Texture2DMS, DirectXBinding: { Register: 0, Space: 0 } }\n");
  const auto texture = run({"run", "count.hlsl", "--job", "texture.yaml", "--device", "vulkan:0"});
  EXPECT_EQ(texture.exit_code, 0) << texture.err;
  EXPECT_THAT(texture.out, HasSubstr("skipped: the job needs images of the kind Texture2DMS, which vulkan:0 lacks"));
  test::write_file(folder_ / "graphics.yaml", "Shaders:\n  - { Stage: Vertex, Entry: main }\n");
  EXPECT_THAT(run({"run", "count.hlsl", "--job", "graphics.yaml", "--device", "vulkan:0"}).out,
              HasSubstr("skipped: the job needs shaders of stage Vertex"));
}

TEST_F(Run, ChecksOfOtherProgramsAreToldAndSkipped) {
  auto text = test_file("");
  text.insert(text.size() - 1, " | FileCheck %s");
  const auto outcome = run_test(text);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("note: skipped: line"), HasSubstr("the checks of FileCheck"),
                                 HasSubstr("the result holds")));
}

TEST_F(Run, ErrorsOfTheCompilerNameTheLineOfTheFile) {
  const auto outcome = run_test(test_file("", "-T cs_6_0"));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("a.test:4:"), HasSubstr("OFFSET")));
}

TEST_F(Run, TheCompilersWarningsAreTold) {
  test::write_file(folder_ / "warns.hlsl",
                   "RWStructuredBuffer<int2> Out : register(u0);\n[numthreads(1, 1, 1)]\n"
                   "void main() { int4 wide = int4(1, 2, 3, 4); Out[0] = (int2)0; Out[0].x = wide; }\n");
  const auto outcome = run({"run", "warns.hlsl", "--size", "Out=8", "--device", "vulkan:0"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("note: warns.hlsl:3"));
  EXPECT_THAT(outcome.out, HasSubstr("there are no results to check"));
}

TEST_F(Run, WithoutADriverTheWaveMachineRunsIt) {
  test::write_file(folder_ / "a.test", test_file(""));
  const auto found = run({"run", "a.test", "--device", "machine"}, no_drivers());
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("on machine"));
  EXPECT_EQ(run({"run", "a.test", "--device", "vulkan:0"}, no_drivers()).exit_code, 2);
}

TEST_F(Run, WithoutTheCompilerTheExitCodeIsThree) {
  test::write_file(folder_ / "count.hlsl", shader);
  const auto outcome = run({"run", "count.hlsl", "--size", "Out=32", "--device", "vulkan:0"},
                           {.environment = {{"CROSSLANE_DXC", "/nowhere"}}});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("'count.hlsl' needs the DirectX Shader Compiler"));
}

}  // namespace
}  // namespace crosslane::cli
