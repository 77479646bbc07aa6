// Where compilers are looked for, and what is said where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "compile/compiler.hpp"
#include "compile/search.hpp"
#include "compile/test_support.hpp"

namespace crosslane::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Sets the variables for one test; what was there before comes back.
class FindCompiler : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    set("CROSSLANE_DXC", nullptr);
    set("VULKAN_SDK", nullptr);
  }

  void TearDown() override {
    for (const auto& [name, value] : before_) {
      assign(name, value ? value->c_str() : nullptr);
    }
    FolderTest::TearDown();
  }

  void set(const std::string& name, const char* value) {
    const char* const old = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): one thread
    before_.insert(before_.begin(), {name, old != nullptr ? std::optional<std::string>(old) : std::nullopt});
    assign(name, value);
  }

  [[nodiscard]] static Error error_of(const FindOptions& options = {}) {
    auto found = find_compiler(options);
    if (found) {
      ADD_FAILURE() << "found " << (*found)->library();
      return {};
    }
    EXPECT_EQ(found.error().code, ErrorCode::compiler);
    return std::move(found.error());
  }

  static const std::filesystem::path library;

 private:
  static void assign(const std::string& name, const char* value) {
    if (value != nullptr) {
      setenv(name.c_str(), value, 1);  // NOLINT(concurrency-mt-unsafe): one thread
    } else {
      unsetenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): one thread
    }
  }

  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

const std::filesystem::path FindCompiler::library = CROSSLANE_TEST_DXC;

TEST_F(FindCompiler, TakesTheFileThatCrosslaneDxcNames) {
  set("CROSSLANE_DXC", library.c_str());
  const auto compiler = find_compiler();
  ASSERT_TRUE(compiler) << text_of(compiler.error());
  EXPECT_EQ((*compiler)->library(), library);
}

TEST_F(FindCompiler, TakesTheLibraryInTheFolderThatCrosslaneDxcNames) {
  std::filesystem::create_directory(folder_ / "lib");
  std::filesystem::create_symlink(library, folder_ / "lib" / "libdxcompiler.so");
  for (const auto& folder : {folder_, folder_ / "lib"}) {
    set("CROSSLANE_DXC", folder.c_str());
    const auto compiler = find_compiler();
    ASSERT_TRUE(compiler) << text_of(compiler.error());
    EXPECT_EQ((*compiler)->library(), folder_ / "lib" / "libdxcompiler.so");
  }
}

TEST_F(FindCompiler, SaysThatCrosslaneDxcNamesNothing) {
  const auto missing = folder_ / "missing.so";
  set("CROSSLANE_DXC", missing.c_str());
  // A good one elsewhere is no excuse.
  const Error error = error_of({.fallback_directories = {library.parent_path()}});
  EXPECT_THAT(error.message, HasSubstr("CROSSLANE_DXC is '" + missing.string() + "', but no such file"));
}

TEST_F(FindCompiler, SaysThatTheFolderOfCrosslaneDxcHoldsNone) {
  set("CROSSLANE_DXC", folder_.c_str());
  const Error error = error_of({.fallback_directories = {library.parent_path()}});
  EXPECT_THAT(error.message, HasSubstr("CROSSLANE_DXC is the folder '" + folder_.string() + "', but"));
}

TEST_F(FindCompiler, SaysThatCrosslaneDxcIsNoLibrary) {
  const auto text = write("libdxcompiler.so", "This is a text.\n");
  set("CROSSLANE_DXC", text.c_str());
  const Error error = error_of({.fallback_directories = {library.parent_path()}});
  EXPECT_THAT(error.message, HasSubstr("'" + text.string() + "', which is no DirectX Shader Compiler"));
  EXPECT_THAT(error.message, HasSubstr("scripts/fetch-dxc.sh"));
  EXPECT_THAT(error.reasons, ElementsAre(HasSubstr("cannot be loaded")));
}

TEST_F(FindCompiler, SaysThatALibraryIsAnother) {
  const auto found = load_compiler(CROSSLANE_TEST_OTHER_LIBRARY);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("does not export DxcCreateInstance"));
}

TEST_F(FindCompiler, SaysThatALibraryMakesNoCompiler) {
  const auto found = load_compiler(CROSSLANE_TEST_HOLLOW_LIBRARY);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::compiler);
  EXPECT_THAT(found.error().message, HasSubstr("does not offer IDxcCompiler3"));
}

TEST_F(FindCompiler, AnEmptyVariableIsNotSet) {
  set("CROSSLANE_DXC", "");
  set("VULKAN_SDK", "");
  const auto environment = SearchEnvironment::of_process();
  EXPECT_FALSE(environment.chosen);
  EXPECT_FALSE(environment.vulkan_sdk);
}

TEST_F(FindCompiler, TriesTheSdkThenTheSystemThenTheFallbackFolders) {
  const auto places = candidates({.chosen = {}, .vulkan_sdk = "/sdk"}, {"/first", "/second"});
  ASSERT_TRUE(places);
  ASSERT_GE(places->size(), 4U);
  EXPECT_EQ(places->front().library, "/sdk/lib/libdxcompiler.so");
  EXPECT_EQ((*places)[1].library, "libdxcompiler.so");
  EXPECT_EQ((*places)[places->size() - 2].library, "/first/libdxcompiler.so");
  EXPECT_EQ(places->back().library, "/second/libdxcompiler.so");
}

TEST_F(FindCompiler, TakesTheOneOfTheSdkBeforeTheOthers) {
  std::filesystem::create_directory(folder_ / "lib");
  std::filesystem::create_symlink(library, folder_ / "lib" / "libdxcompiler.so");
  set("VULKAN_SDK", folder_.c_str());
  const auto compiler = find_compiler({.fallback_directories = {library.parent_path()}});
  ASSERT_TRUE(compiler) << text_of(compiler.error());
  EXPECT_EQ((*compiler)->library(), folder_ / "lib" / "libdxcompiler.so");
}

TEST_F(FindCompiler, GoesOnWhereTheSdkHasNone) {
  set("VULKAN_SDK", folder_.c_str());
  const auto compiler = find_compiler({.fallback_directories = {folder_, library.parent_path()}});
  ASSERT_TRUE(compiler) << text_of(compiler.error());
}

TEST_F(FindCompiler, ListsWhatWasTriedAndTheMend) {
  // In a process of its own: here the library may be loaded already, and then its bare name finds it.
  set("VULKAN_SDK", "/no/sdk");
  const auto source = write("kernel.hlsl", shader_of(""));
  const auto result = run_program(
      {CROSSLANE_TEST_KERNELC, "compile", "--source", source.string(), "--output", (folder_ / "kernel.spv").string()});
  if (result.exit_code == 0) {
    GTEST_SKIP() << "the system has a compiler of its own, so that one is found always";
  }
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.output, HasSubstr("error: no DirectX Shader Compiler found; tried "
                                       "'/no/sdk/lib/libdxcompiler.so' (VULKAN_SDK), 'libdxcompiler.so' (the system)"));
  EXPECT_THAT(result.output, HasSubstr("; set CROSSLANE_DXC, or run scripts/fetch-dxc.sh\n"));
  EXPECT_THAT(result.output, HasSubstr("'/no/sdk/lib/libdxcompiler.so' cannot be loaded"));
}

}  // namespace
}  // namespace crosslane::compile
