// What the tests of the compiler layer share: the build's compiler, and folders that vanish.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.hpp"

namespace crosslane::compile {

/// The compiler that the build uses; one for the whole test program.
const Compiler& test_compiler();

/// A compute shader around these statements; `thread` is the thread's number, `values` a buffer of uint.
std::string shader_of(std::string_view statements, std::string_view attributes = "");

/// Compiles text that is not in a file.
Request source_request(std::string source, std::string profile = "cs_6_0", Target target = Target::spirv);

/// All of an error: its message and its reasons.
std::string text_of(const Error& error);

/// A folder of its own for each test, removed at the end.
class FolderTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Writes a file below the folder, with the folders that it needs; returns its path.
  std::filesystem::path write(const std::filesystem::path& name, std::string_view text) const;

  std::filesystem::path folder_;
};

std::string read(const std::filesystem::path& file);

struct ProgramResult {
  int exit_code = 0;
  std::string output;  ///< of both streams
};

/// Runs a program with arguments and waits for it.
ProgramResult run_program(const std::vector<std::string>& command);

}  // namespace crosslane::compile
