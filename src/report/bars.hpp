// A bar chart for the terminal.
#pragma once

#include <string>
#include <vector>

namespace crosslane::report {

struct Bar {
  std::string name;
  double value = 0.0;  ///< at least 0
  std::string text;    ///< behind the bar
};

/// A line for each bar, the longest of them `width` characters; eighths of a character are drawn.
std::string bars(const std::vector<Bar>& bars, std::size_t width = 50);

}  // namespace crosslane::report
