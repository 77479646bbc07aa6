// Well-known shaders (tests/cases/check): nothing is found in them, and each of their mutants, a line of
// "// mutant: text => other text" in their head, is caught.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compile/glsl.hpp"
#include "crosslane/check.hpp"
#include "support/expected.hpp"

namespace crosslane::sanitize_tests {
namespace {

using test::must;

struct Mutant {
  std::string from;
  std::string to;
};

struct Textbook {
  std::string name;
  std::string text;
  GroupCount groups = {1, 1, 1};
  std::uint32_t unordered = 99;  ///< a binding
  std::vector<Mutant> mutants;
};

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Textbook read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  Textbook book{file.stem().string(), {std::istreambuf_iterator<char>(stream), {}}, {1, 1, 1}, 99, {}};
  std::istringstream lines(book.text);
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    const auto value = [&](const std::string& key) { return trimmed(line.substr(line.find(key) + key.size())); };
    if (line.starts_with("// mutant: ")) {
      const auto arrow = line.find("=>");
      book.mutants.push_back({trimmed(line.substr(11, arrow - 11)), trimmed(line.substr(arrow + 2))});
    } else if (line.starts_with("// groups: ")) {
      std::replace(line.begin(), line.end(), ',', ' ');
      std::istringstream numbers(value("groups: "));
      for (auto& axis : book.groups) {
        numbers >> axis;
        axis = std::max(axis, 1U);
      }
    } else if (line.starts_with("// unordered: ")) {
      book.unordered = static_cast<std::uint32_t>(std::stoul(value("unordered: ")));
    }
  }
  return book;
}

CheckReport check_text(const Textbook& book, const std::string& text) {
  compile::GlslRequest source;
  source.file = book.name + ".comp";
  source.source = text;
  const auto words = must(compile::compile_glsl(source)).words;
  CheckRequest request{.spirv = words, .name = book.name, .groups = book.groups};
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    std::vector<std::uint32_t> data(slot == 0 ? 1024 : 1100);
    for (std::uint32_t n = 0; n < data.size() && slot == 0; ++n) {
      data[n] = (n + 1) * 2654435761U >> 20U;
    }
    const auto bytes = std::as_bytes(std::span(data));
    request.resources.push_back({.name = slot == 0   ? "a"
                                         : slot == 1 ? "o"
                                                     : "more",
                                 .slot = slot,
                                 .bytes = std::vector<std::byte>(bytes.begin(), bytes.end()),
                                 .output = slot != 0,
                                 .unordered = slot == book.unordered});
  }
  // What all mutants of a shader get wrong at every size alike, the original's outputs tell.
  if (text != book.text) {
    auto right = request;
    source.source = book.text;
    const auto original = must(compile::compile_glsl(source)).words;
    right.spirv = original;
    std::vector<std::vector<std::byte>> outputs;
    right.results_hold = [&](std::span<const std::vector<std::byte>> after) {
      outputs.assign(after.begin(), after.end());
      return true;
    };
    must(check(right, {.wave_sizes = {32}}));
    request.results_hold = [outputs, &book](std::span<const std::vector<std::byte>> after) {
      return book.unordered < 3 || outputs[1] == after[1];
    };
    return must(check(request, {.most_iterations = 1U << 20U}));
  }
  return must(check(request));
}

class TextbookTest : public testing::TestWithParam<Textbook> {};

TEST_P(TextbookTest, IsSilentAndItsMutantsAreCaught) {
  const auto& book = GetParam();
  const auto report = check_text(book, book.text);
  // Well-known shaders rely on the waves' own reconvergence, which is a note.
  EXPECT_TRUE(std::ranges::all_of(report.findings, [](const Finding& finding) {
    return finding.id == "reconvergence-dependent" && finding.severity == Severity::note;
  })) << describe(report);
  ASSERT_GE(book.mutants.size(), 3U);
  for (const auto& mutant : book.mutants) {
    auto text = book.text;
    const auto body = text.find("#version");
    const auto place = text.find(mutant.from, body);
    ASSERT_NE(place, std::string::npos) << mutant.from;
    text.replace(place, mutant.from.size(), mutant.to);
    const auto caught = check_text(book, text);
    EXPECT_FALSE(caught.clean()) << mutant.from << " => " << mutant.to;
  }
}

std::vector<Textbook> all_books() {
  std::vector<Textbook> books;
  for (const auto& entry : std::filesystem::directory_iterator(CROSSLANE_SOURCE_DIR "/tests/cases/check")) {
    if (entry.path().extension() == ".comp") {
      books.push_back(read(entry.path()));
    }
  }
  std::ranges::sort(books, {}, &Textbook::name);
  return books;
}

INSTANTIATE_TEST_SUITE_P(All, TextbookTest, testing::ValuesIn(all_books()),
                         [](const testing::TestParamInfo<Textbook>& one) { return one.param.name; });

}  // namespace
}  // namespace crosslane::sanitize_tests
