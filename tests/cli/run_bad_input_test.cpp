// Every input that `crosslane run` cannot use: exit code 2 and one message. No device is asked before the files are
// read.
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"

namespace crosslane::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class RunBadInput : public test::ProgramTest {
 protected:
  void expect_refused(std::vector<std::string> arguments, std::string_view what) {
    arguments.insert(arguments.begin(), "run");
    const auto text = run(arguments);
    EXPECT_EQ(text.exit_code, 2) << text.out << text.err;
    EXPECT_EQ(text.out, "");
    EXPECT_THAT(text.err, AllOf(StartsWith("crosslane: error: "), HasSubstr(what)));

    arguments.emplace_back("--json");
    const auto with_json = run(arguments);
    EXPECT_EQ(with_json.exit_code, 2) << with_json.out;
    EXPECT_THAT(with_json.json()["error"]["message"].get<std::string>(), HasSubstr(what));
  }

  void expect_job_refused(const std::string& job, std::string_view what) {
    test::write_file(folder_ / "a.comp", "#version 450\nvoid main() {}\n");
    test::write_file(folder_ / "a.yaml", job);
    expect_refused({"a.comp", "--job", "a.yaml"}, what);
  }
};

TEST_F(RunBadInput, Use) {
  expect_refused({}, "SHADER is required");
  expect_refused({"a.hlsl", "--wave-size", "0"}, "--wave-size");
  expect_refused({"a.hlsl", "--wave-size", "129"}, "--wave-size");
  expect_refused({"a.hlsl", "--groups", "1,2,3,4"}, "--groups");
  expect_refused({"a.hlsl", "--groups", "x"}, "--groups");
  expect_refused({"a.hlsl", "--fly"}, "--fly");
  expect_refused({"a.hlsl", "b.hlsl"}, "b.hlsl");
}

TEST_F(RunBadInput, Files) {
  expect_refused({"a.txt"}, "'a.txt' is no shader by its name");
  expect_refused({"none.test"}, "cannot read 'none.test'");
  expect_refused({"a.comp", "--job", "none.yaml"}, "cannot read 'none.yaml'");
  test::write_file(folder_ / "a.test", "");
  expect_refused({"a.test", "--job", "a.yaml"}, "'a.test' brings its own job");
  test::write_file(folder_ / "b.test", "#--- a\n#--- a\n");
  expect_refused({"b.test"}, "b.test:2");
}

TEST_F(RunBadInput, Jobs) {
  expect_job_refused("", "a.yaml:1");
  expect_job_refused("Shaders: [", "a.yaml:1: this is no YAML");
  expect_job_refused("Shaders:\n  - { Stage: Compute, Entry: main }\nBufers: []\n",
                     "a.yaml:3: Bufers: there is no such field");
}

// What needs a device to be found wrong: the one that is always there.
class RunBadShader : public RunBadInput {
 protected:
  void expect_shader_refused(const std::string& name, const std::string& text, std::string_view what,
                             std::vector<std::string> flags = {}) {
    test::write_file(folder_ / name, text);
    flags.insert(flags.begin(), {name, "--device", "machine"});
    expect_refused(flags, what);
  }
};

TEST_F(RunBadShader, Hlsl) {
  expect_shader_refused("a.hlsl", "nonsense", "'a.hlsl' does not compile for cs_6_6: a.hlsl:1");
  expect_shader_refused("a.hlsl", "[numthreads(1,1,1)] void main() {}", "no profile", {"--profile", "vs_6_0"});
  expect_refused({"none.hlsl", "--device", "machine"}, "cannot read 'none.hlsl'");
  expect_shader_refused("a.hlsl", "", "--define", {"--define", "=1"});
}

TEST_F(RunBadShader, Glsl) {
  expect_shader_refused("a.comp", "#version 450\nvoid main() { x; }\n", "a.comp:2: 'x'");
  expect_shader_refused("a.comp", "#version 450\nvoid main() {}\n", "main, not 'other'", {"--entry", "other"});
  expect_shader_refused("a.comp", "#version 450\nvoid main() {}\n", "is not HLSL", {"--profile", "cs_6_0"});
  expect_refused({"none.glsl", "--device", "machine"}, "cannot read 'none.glsl'");
  expect_shader_refused(
      "b.comp",
      "#version 450\nlayout(binding = 0) buffer B { uint v[]; } b[2];\nvoid main() { b[0].v[0] = b[1].v[0]; }\n",
      "this is an array of buffers: describe it in a job");
  expect_shader_refused(
      "c.comp",
      "#version 450\nlayout(binding = 0) uniform samplerBuffer t;\nlayout(binding = 1) buffer B { vec4 v; };\n"
      "void main() { v = texelFetch(t, 0); }\n",
      "names no plain format");
}

TEST_F(RunBadShader, Spirv) {
  expect_shader_refused("a.spv", "abc", "'a.spv' has 3 bytes");
  expect_shader_refused("a.spv", "abcdabcdabcdabcdabcd", "'a.spv' cannot be run");
  expect_shader_refused("a.spv", "", "'a.spv' cannot be run");
  expect_shader_refused("a.spvasm", "OpNonsense", "a.spvasm:1:1");
  expect_shader_refused("a.spvasm", "OpCapability Shader\nOpMemoryModel Logical GLSL450\n", "no entry point");
  expect_shader_refused("a.spv", "abcd", "compiled already", {"--define", "A=1"});
}

TEST_F(RunBadShader, TestFiles) {
  const std::string sections = "#--- a.hlsl\n[numthreads(1, 1, 1)] void main() {}\n#--- b.yaml\n";
  const std::string good_job = "Shaders:\n  - { Stage: Compute, Entry: main }\n";
  const std::string runs =
      "#--- end\n# RUN: %dxc_target -T cs_6_0 -Fo %t.o %t/a.hlsl\n# RUN: %offloader %t/b.yaml %t.o\n";
  expect_shader_refused("a.test", sections + good_job, "no RUN line");
  expect_shader_refused("a.test", sections + "Shaders: []\n" + runs, "a.test:4: Shaders: a job has a shader");
  expect_shader_refused("a.test", sections + good_job + "#--- end\n# RUN: %dxc_target -Fo %t.o %t/c.hlsl\n",
                        "a.test:7: there is no section 'c.hlsl'");
  expect_shader_refused("a.test", sections + good_job + "# REQUIRES: &&\n" + runs, "a.test:6: '&&' is no condition");
  expect_shader_refused(
      "a.test",
      sections + good_job + "#--- end\n# RUN: %dxc_target -Fo %t.o %t/a.hlsl -T\n# RUN: %offloader %t/b.yaml %t.o\n",
      "the compiler's flag -T has no value");
}

TEST_F(RunBadShader, JobsThatDoNotFit) {
  test::write_file(folder_ / "a.yaml", "Shaders:\n  - { Stage: Compute, Entry: main }\n");
  expect_shader_refused("a.comp",
                        "#version 450\nlayout(binding = 3) buffer B { uint v; } b;\nvoid main() { b.v = 1; }\n",
                        "'a.comp' and its job do not fit", {"--job", "a.yaml"});
  test::write_file(folder_ / "b.yaml",
                   "Shaders:\n  - { Stage: Compute, Entry: main }\nPushConstants:\n  - Stage: Compute\n"
                   "    Values:\n      - { Format: Hex32, Offset: 0, Data: [ 1 ] }\n");
  expect_shader_refused("b.comp", "#version 450\nvoid main() {}\n", "'b.comp' and its job do not fit",
                        {"--job", "b.yaml"});
}

}  // namespace
}  // namespace crosslane::cli
