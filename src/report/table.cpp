#include "report/table.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string_view>
#include <utility>

#include "report/printable.hpp"

namespace crosslane::report {
namespace {

constexpr std::size_t least_wrapped_width = 40;

// Characters, not bytes: every byte that does not continue a UTF-8 sequence begins one.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned>(byte) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t columns, Align align) {
  const std::size_t taken = width(text);
  const std::string blanks(columns > taken ? columns - taken : 0, ' ');
  return align == Align::left ? text + blanks : blanks + text;
}

// Lines of at most `columns` characters, broken between words; a word that is longer has a line of its own.
std::vector<std::string> wrapped(const std::string& text, std::size_t columns) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && width(lines.back()) + 1 + width(word) > columns) {
      lines.emplace_back();
    }
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) {
    std::ranges::replace(cell, '\n', ' ');
    cell = printable(cell);
  }
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  widths.reserve(columns_.size());
  for (const Column& column : columns_) {
    widths.push_back(width(column.heading));
  }
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], width(row[i]));
    }
  }

  std::string text;
  const auto add_line = [&](const auto& cell) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      line += (i == 0 ? "" : "  ") + padded(cell(i), widths[i], columns_[i].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };

  // All columns but the last, and the blanks between, keep their width.
  const std::size_t before = std::accumulate(widths.begin(), std::prev(widths.end()), 2 * (widths.size() - 1));
  if (before + least_wrapped_width <= line_width) {
    widths.back() = std::min(widths.back(), line_width - before);
  }
  add_line([&](std::size_t i) { return columns_[i].heading; });
  add_line([&](std::size_t i) { return std::string(widths[i], '-'); });
  for (const auto& row : rows_) {
    const std::vector<std::string> last = wrapped(row.back(), widths.back());
    for (std::size_t line = 0; line < last.size(); ++line) {
      add_line([&](std::size_t i) { return i + 1 == row.size() ? last[line] : line == 0 ? row[i] : std::string(); });
    }
  }
  return text;
}

}  // namespace crosslane::report
