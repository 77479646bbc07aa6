// A small project that declares kernels as ours does: what an edit rebuilds, with each generator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

#include "compile/test_support.hpp"

namespace crosslane::compile {
namespace {

using testing::HasSubstr;

class IncrementalBuild : public FolderTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    if (GetParam() == std::string_view("Unix Makefiles") &&
        run_program({"sh", "-c", "command -v make"}).exit_code != 0) {
      GTEST_SKIP() << "make is not installed";
    }
    write("CMakeLists.txt", R"(
      cmake_minimum_required(VERSION 3.25)
      project(kernels LANGUAGES CXX)
      set(CMAKE_CXX_STANDARD 20)
      add_executable(crosslane::kernelc IMPORTED)
      set_target_properties(crosslane::kernelc PROPERTIES IMPORTED_LOCATION ${KERNELC})
      add_library(crosslane::kernel-table INTERFACE IMPORTED)
      target_include_directories(crosslane::kernel-table INTERFACE ${SOURCES}/include)
      include(${SOURCES}/cmake/CrosslaneKernels.cmake)
      crosslane_kernels(my-kernels FUNCTION my::kernels)
      crosslane_kernel(my-kernels SOURCE first.hlsl NAME first.one DEFINES VALUE=1)
      crosslane_kernel(my-kernels SOURCE first.hlsl NAME first.two DEFINES VALUE=2)
      add_subdirectory(below)
    )");
    write("below/CMakeLists.txt", "crosslane_kernel(my-kernels SOURCE second.hlsl NAME second)\n");
    write("shared.hlsli", "static const uint shared_value = 1;\n");
    write("only_first.hlsli", "static const uint first_value = 1;\n");
    write("first.hlsl", "#include \"only_first.hlsli\"\n#include \"shared.hlsli\"\n" +
                            shader_of("values[thread] = VALUE + first_value + shared_value;"));
    write("below/second.hlsl", "#include \"../shared.hlsli\"\n" + shader_of("values[thread] = shared_value;"));
    const auto configured = run_program(
        {"cmake", "-S", folder_.string(), "-B", (folder_ / "build").string(), "-G", GetParam(),
         "-DCMAKE_BUILD_TYPE=Debug", std::string("-DDXC_LIBRARY=") + CROSSLANE_TEST_DXC,
         std::string("-DKERNELC=") + CROSSLANE_TEST_KERNELC, std::string("-DSOURCES=") + CROSSLANE_TEST_SOURCES});
    ASSERT_EQ(configured.exit_code, 0) << configured.output;
  }

  [[nodiscard]] ProgramResult build() const {
    return run_program({"cmake", "--build", (folder_ / "build").string(), "--verbose"});
  }

  /// An edit is later than all that was built before.
  void edit(const std::filesystem::path& name, std::string_view text) const {
    const auto file = write(name, text);
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
  }

  static std::vector<std::string> compiled_kernels(const std::string& output) {
    std::vector<std::string> names;
    for (const char* const name : {"first.one", "first.two", "second"}) {
      if (output.find(std::string("/my-kernels/") + name + ".spv --depfile") != std::string::npos) {
        names.emplace_back(name);
      }
    }
    return names;
  }
};

TEST_P(IncrementalBuild, AnEditRebuildsOnlyWhatIncludesIt) {
  auto result = build();
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(compiled_kernels(result.output), testing::ElementsAre("first.one", "first.two", "second"));

  result = build();
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(compiled_kernels(result.output), testing::IsEmpty());

  edit("only_first.hlsli", "static const uint first_value = 2;\n");
  result = build();
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(compiled_kernels(result.output), testing::ElementsAre("first.one", "first.two"));

  edit("below/second.hlsl", "#include \"../shared.hlsli\"\n" + shader_of("values[thread] = shared_value + 1;"));
  result = build();
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(compiled_kernels(result.output), testing::Contains("second"));
}

TEST_P(IncrementalBuild, AnEditThatAllIncludeRebuildsAll) {
  ASSERT_EQ(build().exit_code, 0);
  edit("shared.hlsli", "static const uint shared_value = 2;\n");
  const auto result = build();
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(compiled_kernels(result.output), testing::ElementsAre("first.one", "first.two", "second"));
}

TEST_P(IncrementalBuild, AKernelThatFailsStopsTheBuildWithItsLine) {
  ASSERT_EQ(build().exit_code, 0);
  edit("below/second.hlsl", "\n\n" + shader_of("values[thread] = missing;"));
  auto result = build();
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("second.hlsl:7:18: use of undeclared identifier 'missing'"));
  result = build();
  EXPECT_NE(result.exit_code, 0) << "it stays broken";
  edit("below/second.hlsl", shader_of("values[thread] = 3;"));
  result = build();
  EXPECT_EQ(result.exit_code, 0) << result.output;
}

INSTANTIATE_TEST_SUITE_P(Generators, IncrementalBuild, testing::Values("Ninja", "Unix Makefiles"),
                         [](const auto& instance) { return std::string(instance.param).substr(0, 4); });

}  // namespace
}  // namespace crosslane::compile
