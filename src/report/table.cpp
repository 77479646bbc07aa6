#include "report/table.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace crosslane::report {
namespace {

// Characters, not bytes: every byte that does not continue a UTF-8 sequence begins one.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned>(byte) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t columns, Align align) {
  const std::string blanks(columns - width(text), ' ');
  return align == Align::left ? text + blanks : blanks + text;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
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
  add_line([&](std::size_t i) { return columns_[i].heading; });
  add_line([&](std::size_t i) { return std::string(widths[i], '-'); });
  for (const auto& row : rows_) {
    add_line([&](std::size_t i) { return row[i]; });
  }
  return text;
}

}  // namespace crosslane::report
