// crosslane compile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/run_program.hpp"

namespace crosslane::cli::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CompileTest : public ProgramTest {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
};

constexpr const char* source = R"(RWStructuredBuffer<uint> values;
#ifndef OFFSET
#define OFFSET 1
#endif
[numthreads(64, 1, 1)]
void sums(uint thread : SV_DispatchThreadID) {
  values[thread] = WaveShuffleDown(values[thread], 1) + OFFSET;
}
)";

TEST_F(CompileTest, MakesDxilAndSpirvOfTheArticlesSource) {
  write("a.hlsl", source);
  const auto dxil = run({"compile", "a.hlsl", "-T", "cs_6_13", "-E", "sums", "--dxil", "-o", "a.dxil"});
  ASSERT_EQ(dxil.exit_code, 0) << dxil.err;
  EXPECT_THAT(dxil.out, StartsWith("a.dxil: DXIL for cs_6_"));
  EXPECT_THAT(dxil.err, HasSubstr("cs_6_13 is no released shader model: compiled for cs_6_"));
  const std::string container = content("a.dxil");
  ASSERT_GT(container.size(), 20U);
  EXPECT_EQ(container.substr(0, 4), "DXBC");
  EXPECT_NE(container.substr(4, 16), std::string(16, '\0'));

  const auto spirv = run({"compile", "a.hlsl", "-T", "cs_6_13", "-E", "sums", "--spirv", "-o", "a.spv", "--json"});
  ASSERT_EQ(spirv.exit_code, 0) << spirv.out;
  EXPECT_EQ(spirv.json()["language"], "SPIR-V");
  EXPECT_EQ(spirv.json()["bytes"], content("a.spv").size());
  EXPECT_EQ(spirv.json()["notes"].size(), 1U);
  EXPECT_EQ(content("a.spv").substr(0, 4), "\x03\x02\x23\x07");
}

TEST_F(CompileTest, OtherProfilesNeedTheInclude) {
  write("a.hlsl", source);
  const auto bare = run({"compile", "a.hlsl", "-E", "sums", "--dxil", "-o", "a.dxil"});
  EXPECT_EQ(bare.exit_code, 2);
  EXPECT_THAT(bare.err, HasSubstr("a.hlsl:7:"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.dxil"));
  write("b.hlsl", std::string("#include \"crosslane/shuffle.hlsli\"\n") + source);
  const auto included = run({"compile", "b.hlsl", "-E", "sums", "--dxil", "-o", "b.dxil"});
  EXPECT_EQ(included.exit_code, 0) << included.err;
  EXPECT_THAT(included.out, HasSubstr("cs_6_6"));
}

TEST_F(CompileTest, TakesMacrosAndFolders) {
  std::filesystem::create_directory(folder_ / "more");
  write("more/more.hlsli", "#define OFFSET TWO\n");
  write("a.hlsl", std::string("#include \"more.hlsli\"\n") + source);
  const std::vector<std::string> command = {"compile", "a.hlsl", "-T",    "cs_6_13", "-E",  "sums",
                                            "--spirv", "-o",     "a.spv", "-I",      "more"};
  EXPECT_EQ(run(command).exit_code, 2);  // TWO is nothing yet
  auto complete = command;
  complete.insert(complete.end(), {"-D", "TWO=2"});
  const auto outcome = run(complete);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(CompileTest, RefusesWhatIsNoHlslByItsName) {
  const auto expect_bad = [&](const std::string& file, const std::string& text) {
    write(file, source);
    const auto outcome = run({"compile", file, "-E", "sums", "-T", "cs_6_13", "--spirv", "-o", "out.spv"});
    EXPECT_EQ(outcome.exit_code, 2) << file;
    EXPECT_THAT(outcome.err, HasSubstr("'" + file + "' is " + text));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.spv"));
  };
  expect_bad("a.comp", "GLSL by its name");
  expect_bad("a.glsl", "GLSL by its name");
  expect_bad("a.spv", "SPIR-V by its name");
  expect_bad("a.spvasm", "SPIR-V by its name");
  expect_bad("a.test", "a shader with its job");
  write("a.fx", source);
  EXPECT_EQ(run({"compile", "a.fx", "-E", "sums", "-T", "cs_6_13", "--spirv", "-o", "out.spv"}).exit_code, 0);
}

TEST_F(CompileTest, RefusesFlagsThatWouldChangeNothing) {
  write("a.hlsl", source);
  write("file", "no folder");
  const auto expect_bad = [&](const std::vector<std::string>& flags, const std::string& text) {
    for (const char* const language : {"--dxil", "--spirv"}) {
      std::vector<std::string> command = {"compile", "a.hlsl", language, "-o", "out"};
      command.insert(command.end(), flags.begin(), flags.end());
      const auto outcome = run(command);
      EXPECT_EQ(outcome.exit_code, 2) << text;
      EXPECT_THAT(outcome.err, HasSubstr(text));
    }
  };
  expect_bad({"-I", "missing"}, "-I missing: there is no such folder");
  expect_bad({"-I", "file"}, "-I file: there is no such folder");
  expect_bad({"-I", ""}, "-I");
  expect_bad({"-E", ""}, "there is no value");
  expect_bad({"-T", ""}, "no profile of a compute shader");
  expect_bad({"-T", "cs_5_0"}, "'cs_5_0' is a shader model before 6.0");
  expect_bad({"-T", "cs_5_1"}, "write cs_6_0 or a newer one");
  expect_bad({"-T", "cs_6_99"}, "cs_6_99");
  const auto environment =
      run({"compile", "a.hlsl", "-E", "sums", "-T", "cs_6_13", "--dxil", "-o", "out", "--target-env", "vulkan1.2"});
  EXPECT_EQ(environment.exit_code, 2);
  EXPECT_THAT(environment.err, HasSubstr("--target-env vulkan1.2 is an environment of SPIR-V"));
  const auto unknown =
      run({"compile", "a.hlsl", "-E", "sums", "-T", "cs_6_13", "--spirv", "-o", "out", "--target-env", "vulkan9"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("vulkan9"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(CompileTest, RefusesWhatMakesNoSense) {
  write("a.hlsl", source);
  const auto expect_bad = [&](const std::vector<std::string>& command, const std::string& text) {
    const auto outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 2) << text;
    EXPECT_THAT(outcome.err, HasSubstr(text));
  };
  expect_bad({"compile", "a.hlsl", "-o", "a.dxil"}, "--dxil (Direct3D 12) or --spirv (Vulkan)");
  expect_bad({"compile", "a.hlsl", "-o", "a.dxil", "--dxil", "--spirv"}, "--dxil (Direct3D 12) or --spirv (Vulkan)");
  expect_bad({"compile", "nothing.hlsl", "-o", "a.dxil", "--dxil"}, "nothing.hlsl");
  expect_bad({"compile", "a.hlsl", "-o", "a.dxil", "--dxil", "-D", "=1"}, "write NAME or NAME=VALUE");
  expect_bad({"compile", "a.hlsl", "-o", "a.dxil", "--dxil", "-T", "ps_6_0"}, "ps_6_0");
  expect_bad({"compile", "a.hlsl", "-o", "a.dxil", "--dxil", "-T", "cs_6_13"}, "no function 'main'");
  expect_bad({"compile", "a.hlsl", "-o", "nowhere/a.dxil", "--dxil"}, "nowhere");
  write("a.dxil", "mine");
  expect_bad({"compile", "a.hlsl", "-E", "sums", "-T", "cs_6_13", "-o", "a.dxil", "--dxil"}, "--force");
  EXPECT_EQ(content("a.dxil"), "mine");
  EXPECT_EQ(run({"compile", "a.hlsl", "-E", "sums", "-T", "cs_6_13", "-o", "a.dxil", "--dxil", "--force"}).exit_code,
            0);
}

}  // namespace
}  // namespace crosslane::cli::test
