// A table for people: columns as wide as their widest cell, two blanks between them, long text in the last one wrapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace crosslane::report {

enum class Align : std::uint8_t { left, right };

struct Column {
  std::string heading;
  Align align = Align::left;
};

class Table {
 public:
  /// At least one column.
  explicit Table(std::vector<Column> columns);

  /// Columns of a line after which the last cell is wrapped between words, if that leaves it enough room.
  static constexpr std::size_t line_width = 120;

  /// Adds a row. Cells beyond the last column are dropped, missing ones are empty. Line breaks become blanks, and the
  /// rest is made printable().
  void add(std::vector<std::string> cells);

  /// Heading, a rule and the rows, each line ended by a newline and free of trailing blanks.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace crosslane::report
