#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "report/printable.hpp"
#include "report/svg.hpp"

namespace crosslane::report {
namespace {

// In units of the view box.
constexpr double width = 760;
constexpr double row_height = 26;
constexpr double bar_height = 16;
constexpr double text_room = 110;
constexpr double character = 7.5;
constexpr double most_name_room = 360;

bool drawn(const BarChart::Row& row) { return std::isfinite(row.value.median) && row.value.median >= 0; }

// The end of the row's interval, or of its bar where it has none.
double reach(const BarChart::Row& row) {
  return std::isfinite(row.value.high) ? std::max(row.value.high, row.value.median) : row.value.median;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : printable(text)) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

std::string svg(const BarChart& chart, const std::string& id) {
  double longest = 0;
  std::size_t longest_name = 0;
  for (const auto& row : chart.rows) {
    longest = std::max(longest, drawn(row) ? reach(row) : 0);
    longest_name = std::max(longest_name, row.name.size());
  }
  const double name_room = std::min(most_name_room, character * static_cast<double>(longest_name) + character);
  const double room = width - name_room - text_room;
  const auto across = [&](double value) {
    return longest > 0 ? name_room + room * std::clamp(value / longest, 0.0, 1.0) : name_room;
  };

  const double height = row_height * static_cast<double>(chart.rows.size());
  std::string text = fmt::format(
      "<svg role=\"img\" aria-labelledby=\"{0}-title\" viewBox=\"0 0 {1} {2}\">\n<title id=\"{0}-title\">{3}</title>\n",
      id, width, height, escaped(chart.caption));
  double top = (row_height - bar_height) / 2;
  for (const auto& row : chart.rows) {
    const double middle = top + bar_height / 2;
    // A name that is too long is squeezed, not cut.
    const bool squeezed = character * static_cast<double>(row.name.size()) > name_room;
    text += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\"{}>{}</text>\n", name_room - character, middle + 4,
        squeezed ? fmt::format(" textLength=\"{:.1f}\" lengthAdjust=\"spacingAndGlyphs\"", name_room - 2 * character)
                 : "",
        escaped(row.name));
    double end = name_room;
    if (drawn(row)) {
      end = across(reach(row));
      text += fmt::format(
          "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\"><title>{}</title></rect>\n",
          name_room, top, across(row.value.median) - name_room, bar_height, escaped(row.name + ": " + row.text));
      if (std::isfinite(row.value.low) && std::isfinite(row.value.high)) {
        const double low = across(row.value.low);
        const double high = across(row.value.high);
        text += fmt::format(
            "<path class=\"whisker\" d=\"M{0:.2f} {2:.1f}V{3:.1f}M{0:.2f} {4:.1f}H{1:.2f}M{1:.2f} "
            "{2:.1f}V{3:.1f}\"/>\n",
            low, high, middle - 4, middle + 4, middle);
      }
    }
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", end + character, middle + 4, escaped(row.text));
    top += row_height;
  }
  return text + "</svg>\n";
}

}  // namespace crosslane::report
