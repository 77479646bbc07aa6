// The README shows the examples as they are, and what the program really prints.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"

namespace crosslane::cli {
namespace {

using testing::HasSubstr;

const std::filesystem::path root = CROSSLANE_SOURCE_DIR;

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file);
  EXPECT_TRUE(stream.is_open()) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The README's only fenced block of a language, without its fences.
std::string block(const std::string& language) {
  const std::string readme = contents(root / "README.md");
  const std::string open = "```" + language + "\n";
  const std::size_t begin = readme.find(open);
  EXPECT_NE(begin, std::string::npos) << language;
  EXPECT_EQ(readme.find(open, begin + 1), std::string::npos) << "one block of " << language;
  if (begin == std::string::npos) {
    return "";
  }
  const std::size_t from = begin + open.size();
  return readme.substr(from, readme.find("```", from) - from);
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<std::string> lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string line; std::getline(stream, line);) {
    result.push_back(line);
  }
  return result;
}

// What stays when the program runs elsewhere: all but the device and the times.
std::string comparable(const std::string& line) {
  static const std::regex device_line("^on .*");
  static const std::regex rule_line("^[- ]+$");
  static const std::regex table_row("^(groupshared|shuffle|wave_intrinsics) .*");
  if (std::regex_match(line, device_line)) {
    return "on some device";
  }
  if (std::regex_match(line, rule_line)) {
    return line.empty() ? "" : "a rule";
  }
  const std::vector<std::string> cells = words(line);
  if (std::regex_match(line, table_row)) {
    return cells.at(0) + " " + cells.at(1) + " and " + std::to_string(cells.size() - 2) + " more";
  }
  std::string joined;
  for (const std::string& cell : cells) {
    joined += cell + " ";
  }
  return joined;
}

TEST(Readme, ShowsTheCppExampleAsItIs) {
  EXPECT_EQ(block("cpp"), contents(root / "examples" / "reduce-api" / "main.cpp"));
}

TEST(Readme, ShowsTheHlslExampleAsItIs) {
  EXPECT_EQ(block("hlsl"), contents(root / "examples" / "hlsl-neighbours" / "neighbours.hlsl"));
}

TEST(Readme, NamesFilesThatAreThere) {
  const std::string readme = contents(root / "README.md");
  // No blanks, so that the lambdas of the C++ example are no links.
  static const std::regex link(R"(\]\(([^)# ]+)\))");
  int found = 0;
  for (std::sregex_iterator it(readme.begin(), readme.end(), link), end; it != end; ++it, ++found) {
    EXPECT_TRUE(std::filesystem::exists(root / (*it)[1].str())) << (*it)[1];
  }
  EXPECT_GT(found, 5);
}

class ReadmeProgram : public test::ProgramTest {};

TEST_F(ReadmeProgram, PrintsWhatTheReadmeShows) {
  // The array that scripts/quickstart.sh writes.
  constexpr int side = 2048;
  std::vector<float> row(side);
  for (int i = 0; i < side; ++i) {
    row[static_cast<std::size_t>(i)] = static_cast<float>(std::sin(2 * std::numbers::pi * i / side) + 0.5);
  }
  std::vector<float> values;
  for (int i = 0; i < side; ++i) {
    values.insert(values.end(), row.begin(), row.end());
  }
  std::filesystem::create_directory(folder_ / "build");
  test::write_file(folder_ / "build" / "sample.npy",
                   test::npy_header(test::npy_dictionary("'<f4'", "(2048, 2048)")) + test::bytes_of(values));

  const std::string shown = block("console");
  const std::string prompt = "$ build/release/bin/crosslane ";
  ASSERT_EQ(shown.substr(0, prompt.size()), prompt);
  const std::size_t end_of_command = shown.find('\n');
  const test::Outcome outcome = run(words(shown.substr(prompt.size(), end_of_command - prompt.size())));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;

  const std::vector<std::string> expected = lines(shown.substr(end_of_command + 1));
  const std::vector<std::string> printed = lines(outcome.out);
  ASSERT_EQ(printed.size(), expected.size()) << outcome.out;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(comparable(printed[i]), comparable(expected[i]));
  }
}

TEST_F(ReadmeProgram, FindsWhatTheReadmeShows) {
  const std::string shader = "tests/cases/field/16-scratch-reuse.hlsl";
  std::filesystem::create_directories((folder_ / shader).parent_path());
  std::filesystem::copy_file(root / shader, folder_ / shader);
  const std::string shown = block("text");
  ASSERT_TRUE(shown.starts_with("$ build/release/bin/crosslane check " + shader + "\n")) << shown;
  const test::Outcome outcome = run({"check", shader});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const std::vector<std::string> printed = lines(outcome.out);
  for (const std::string& line : lines(shown.substr(shown.find('\n') + 1))) {
    if (line != "…") {
      EXPECT_THAT(printed, testing::Contains(line));
    }
  }
}

TEST_F(ReadmeProgram, QuickstartEndsWithTheSameCommand) {
  EXPECT_THAT(contents(root / "scripts" / "quickstart.sh"), HasSubstr("reduce \"$sample\" --method all"));
}

}  // namespace
}  // namespace crosslane::cli
