// The build-time tool as a process: what it writes, what it says, and what it leaves where it fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/test_support.hpp"

namespace crosslane::compile {
namespace {

using testing::HasSubstr;

class Kernelc : public FolderTest {
 protected:
  [[nodiscard]] static ProgramResult run(const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {CROSSLANE_TEST_KERNELC};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_program(command);
  }

  [[nodiscard]] ProgramResult compile(const std::filesystem::path& source, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"compile",        "--compiler",    CROSSLANE_TEST_DXC,
                                          "--source",       source.string(), "--output",
                                          output_.string(), "--depfile",     depfile_.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  void SetUp() override {
    FolderTest::SetUp();
    output_ = folder_ / "new" / "kernel.spv";
    depfile_ = folder_ / "new" / "kernel.d";
  }

  std::filesystem::path output_;
  std::filesystem::path depfile_;
};

TEST_F(Kernelc, WritesSpirvAndTheFilesItWasMadeOf) {
  const auto header = write("lib/header.hlsli", "static const uint shared_value = 3;\n");
  const auto source =
      write("kernel.hlsl", "#include \"header.hlsli\"\n" + shader_of("values[thread] = shared_value * FACTOR;"));
  const auto result = compile(source, {"--include", (folder_ / "lib").string(), "--define", "FACTOR=5"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(read(output_).substr(0, 4), "\x03\x02\x23\x07");
  EXPECT_EQ(read(depfile_), output_.string() + ": \\\n  " + source.string() + " \\\n  " + header.string() + "\n");
}

TEST_F(Kernelc, PrintsWarningsAndGoesOn) {
  const auto source = write("kernel.hlsl", shader_of("uint4 four = thread; values[thread] = four.xy;"));
  const auto result = compile(source);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr(source.string() + ":5:"));
  EXPECT_THAT(result.output, HasSubstr("warning: implicit truncation"));
}

TEST_F(Kernelc, AKernelThatFailsLeavesNothingAndNamesItsLine) {
  const auto source = write("kernel.hlsl", shader_of("values[thread] = 1;"));
  ASSERT_EQ(compile(source).exit_code, 0);
  ASSERT_TRUE(std::filesystem::exists(output_));
  write("kernel.hlsl", shader_of("values[thread] = missing;"));
  const auto result = compile(source);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("error: '" + source.string() + "' does not compile for cs_6_2: " +
                                       source.string() + ":5:18: use of undeclared identifier 'missing'"));
  EXPECT_THAT(result.output, HasSubstr("values[thread] = missing;"));
  EXPECT_FALSE(std::filesystem::exists(output_));
  for (const auto& entry : std::filesystem::directory_iterator(output_.parent_path())) {
    EXPECT_EQ(entry.path(), depfile_) << "only what the successful run listed is left";
  }
}

TEST_F(Kernelc, AKernelThatIsNotThereIsNamed) {
  const auto result = compile(folder_ / "missing.hlsl");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("missing.hlsl': No such file or directory"));
}

TEST_F(Kernelc, ACompilerThatIsNoneIsNamed) {
  const auto source = write("kernel.hlsl", shader_of(""));
  const auto result =
      run({"compile", "--compiler", source.string(), "--source", source.string(), "--output", output_.string()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.output, HasSubstr("'" + source.string() + "' cannot be loaded"));
}

TEST_F(Kernelc, AnOutputThatCannotBeWrittenIsNamed) {
  const auto source = write("kernel.hlsl", shader_of(""));
  const auto result = run({"compile", "--compiler", CROSSLANE_TEST_DXC, "--source", source.string(), "--output",
                           (source / "kernel.spv").string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("cannot write '" + (source / "kernel.spv").string()));
}

TEST_F(Kernelc, TheSame16BitSourceDependsOnTheFlag) {
  const auto source = write("kernel.hlsl", shader_of("values[thread] = uint(uint16_t(values[thread]) + uint16_t(1));"));
  EXPECT_EQ(compile(source).exit_code, 2);
  EXPECT_EQ(compile(source, {"--types16"}).exit_code, 0);
}

TEST_F(Kernelc, AKernelThatDoesNotAskForItsWaveSizeIsRefused) {
  const auto source = write("kernel.hlsl", shader_of("values[thread] = WaveGetLaneCount();"));
  ASSERT_EQ(compile(source).exit_code, 0);
  const auto spirv = folder_ / "kernel.spv";
  std::filesystem::rename(output_, spirv);
  const auto sized = compile(source, {"--profile", "cs_6_6", "--dxil-of", spirv.string(), "--wave-size", "32"});
  EXPECT_EQ(sized.exit_code, 2);
  EXPECT_THAT(sized.output, HasSubstr("'" + source.string() + "' does not ask for waves of 32 lanes"));
  EXPECT_FALSE(std::filesystem::exists(output_));
}

TEST_F(Kernelc, EmbedsWhatTheListNames) {
  const auto kernel = write("k.spv", std::string("\x03\x02\x23\x07", 4));
  const auto list = write("list.txt", "one=" + kernel.string() + "\n");
  const auto table = folder_ / "table.cpp";
  const auto result =
      run({"embed", "--function", "f", "--output", table.string(), "--list", list.string(), "two=" + kernel.string()});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(read(table), HasSubstr("Kernel{\"one\", spirv_0, {}}"));
  EXPECT_THAT(read(table), HasSubstr("Kernel{\"two\", spirv_1, {}}"));
}

TEST_F(Kernelc, EmbedRefusesWhatIsNoSpirv) {
  const auto table = folder_ / "table.cpp";
  for (const auto& file : {write("odd.spv", "12345"), write("empty.spv", ""), folder_ / "missing.spv"}) {
    const auto result = run({"embed", "--function", "f", "--output", table.string(), "k=" + file.string()});
    EXPECT_EQ(result.exit_code, 2) << file;
    EXPECT_THAT(result.output, HasSubstr("'" + file.string() + "' cannot be read as SPIR-V")) << file;
    EXPECT_FALSE(std::filesystem::exists(table)) << file;
  }
}

TEST_F(Kernelc, WrongUseIsSaid) {
  EXPECT_EQ(run({}).exit_code, 2);
  EXPECT_EQ(run({"compile"}).exit_code, 2);
  EXPECT_THAT(run({"compile"}).output, HasSubstr("--source"));
  EXPECT_EQ(run({"--help"}).exit_code, 0);
}

}  // namespace
}  // namespace crosslane::compile
