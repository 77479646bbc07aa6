// LLVM's .test files: a shader, a job and the commands that would run them, in one file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/error.hpp"
#include "job/conditions.hpp"

namespace crosslane::job {

/// A part of the file, cut by split-file's markers: "#--- source.hlsl" or "//--- source.hlsl".
struct Section {
  std::string name;
  std::string text;
  std::uint32_t first_line = 1;  ///< of the text, in the file
};

/// The shader's compilation and its run.
struct TestRun {
  const Section* source = nullptr;
  const Section* pipeline = nullptr;
  std::vector<std::string> compiler_flags;  ///< of the DirectX Shader Compiler, without input and output
};

/// A line like "# REQUIRES: Half, Int64".
struct Requirement {
  std::string condition;
  std::uint32_t line = 1;
};

class TestFile {
 public:
  /// Cuts the text. `name` stands in messages. Errors: `invalid_input` where two sections have one name.
  static Expected<TestFile> parse(std::string_view text, const std::string& name);

  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  /// All must hold.
  [[nodiscard]] const std::vector<Requirement>& required() const { return required_; }
  /// Where one holds, the test makes no sense.
  [[nodiscard]] const std::vector<Requirement>& unsupported() const { return unsupported_; }
  /// Where one holds, the test's authors expect it to fail.
  [[nodiscard]] const std::vector<Requirement>& expected_failures() const { return expected_failures_; }

  struct Runs {
    std::vector<TestRun> runs;         ///< their pointers are into the file's sections
    std::vector<std::string> skipped;  ///< what the commands ask for beside them: FileCheck, …
  };
  /// What the RUN lines ask for, their conditions decided by `has`. Errors: `invalid_input` with the line for commands
  /// that name no section, and where nothing is run.
  [[nodiscard]] Expected<Runs> runs(const HasFeature& has) const;

 private:
  struct Command {
    std::string text;
    std::uint32_t line = 1;
  };
  [[nodiscard]] const Section* find(std::string_view name) const;

  std::string name_;
  std::vector<Section> sections_;
  std::vector<Command> commands_;
  std::vector<Requirement> required_;
  std::vector<Requirement> unsupported_;
  std::vector<Requirement> expected_failures_;
};

/// The words of a command, as a shell cuts them: blanks between, quotes around, backslashes before single characters.
std::vector<std::string> shell_words(std::string_view command);

/// The command with its "%if condition %{ … %} %else %{ … %}" decided. Errors: `invalid_input` for braces that do not
/// match and for what is no condition.
Expected<std::string> decide_conditions(std::string_view command, const HasFeature& has);

}  // namespace crosslane::job
