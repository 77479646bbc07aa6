#include <string_view>

#include <fmt/format.h>

#include "report/page.hpp"
#include "report/printable.hpp"

namespace crosslane::report {
namespace {

// Text that means itself, on one line.
std::string plain(std::string_view text) {
  constexpr std::string_view marks = R"(\`*_{}[]<>#|&~!)";
  std::string result;
  for (const char character : printable(text)) {
    if (marks.find(character) != std::string_view::npos) {
      result += '\\';
    }
    result += character;
  }
  return result;
}

class Writer {
 public:
  void operator()(const Heading& heading) { text_ += fmt::format("### {}\n\n", plain(heading.text)); }

  void operator()(const Paragraph& paragraph) { text_ += plain(paragraph.text) + "\n\n"; }

  void operator()(const DataTable& table) {
    text_ += plain(table.caption) + ":\n\n|";
    for (const std::string& column : table.columns) {
      text_ += fmt::format(" {} |", plain(column));
    }
    text_ += "\n|";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      text_ += "---|";
    }
    text_ += '\n';
    for (const auto& row : table.rows) {
      text_ += '|';
      for (const Cell& cell : row) {
        text_ += fmt::format(" {} |", plain(cell.text));
      }
      text_ += '\n';
    }
    text_ += '\n';
  }

  void operator()(const BarChart& /*chart*/) {}
  void operator()(const LineChart& /*chart*/) {}

  void section(const PageSection& section) {
    text_ += fmt::format("## {}\n\n", plain(section.title));
    for (const Block& block : section.blocks) {
      std::visit(*this, block);
    }
  }

  /// With one newline at its end.
  [[nodiscard]] std::string text() const { return text_.substr(0, text_.size() - 1); }

 private:
  std::string text_;
};

}  // namespace

std::string markdown(const Page& page) {
  Writer writer;
  std::string text = fmt::format("# {}\n", plain(page.title));
  for (const PageSection& section : page.sections) {
    writer.section(section);
  }
  return page.sections.empty() ? text : text + '\n' + writer.text();
}

}  // namespace crosslane::report
