#include "report/bars.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "report/printable.hpp"

namespace crosslane::report {
namespace {

std::string bar_of(double eighths) {
  constexpr std::array<std::string_view, 8> parts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto whole = static_cast<std::size_t>(std::lround(eighths));
  std::string drawn;
  for (std::size_t i = 0; i < whole / parts.size(); ++i) {
    drawn += "█";
  }
  return drawn + std::string(parts.at(whole % parts.size()));
}

}  // namespace

std::string bars(const std::vector<Bar>& bars, std::size_t width) {
  constexpr double eighths = 8.0;
  std::size_t name_width = 0;
  double most = 0.0;
  for (const Bar& bar : bars) {
    name_width = std::max(name_width, bar.name.size());
    most = std::max(most, bar.value);
  }
  std::string text;
  for (const Bar& bar : bars) {
    const double length = most > 0.0 ? bar.value / most * static_cast<double>(width) * eighths : 0.0;
    text += fmt::format("{:<{}}  {} {}\n", printable(bar.name), name_width, bar_of(length), printable(bar.text));
  }
  return text;
}

}  // namespace crosslane::report
