#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "report/svg.hpp"

namespace crosslane::report {
namespace {

// In units of the view box.
constexpr double width = 760;
constexpr double plot_height = 300;
constexpr double left = 76;    // the numbers of the axis, and what they are
constexpr double right = 570;  // names of the lines stand beyond
constexpr double top = 14;
constexpr double bottom = top + plot_height;
constexpr double height = bottom + 44;
constexpr double name_height = 22;
constexpr double most_ticks = 6;

struct Range {
  double low = 0;
  double high = 0;
};

// Where a value is drawn: its logarithm to the base 10 where the chart has those; nothing where it cannot be drawn.
std::optional<double> level(const LineChart& chart, const std::optional<double>& value) {
  if (!value || !std::isfinite(*value) || (chart.logarithmic && *value <= 0)) {
    return std::nullopt;
  }
  return chart.logarithmic ? std::log10(*value) : *value;
}

// Of levels. From 0, or less where a value is; of logarithms whole powers of ten around them.
Range range_of(const LineChart& chart) {
  std::optional<Range> range;
  if (!chart.logarithmic) {
    range = Range{};
  }
  for (const auto& series : chart.series) {
    for (const auto& value : series.values) {
      if (const auto at = level(chart, value)) {
        range = range ? Range{std::min(range->low, *at), std::max(range->high, *at)} : Range{*at, *at};
      }
    }
  }
  Range found = range.value_or(Range{});
  if (chart.logarithmic) {
    found = {std::floor(found.low), std::ceil(found.high)};
  }
  if (found.low == found.high) {
    found.high = found.low + 1;
  }
  return found;
}

// 1, 2 or 5 times a power of ten.
double tick_distance(const Range& range) {
  const double least = (range.high - range.low) / most_ticks;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) {
      return factor * power;
    }
  }
  return 10.0 * power;
}

// Of logarithms at whole ones.
double tick_distance(const LineChart& chart, const Range& range) {
  return chart.logarithmic ? std::max(1.0, std::ceil(tick_distance(range))) : tick_distance(range);
}

class Plot {
 public:
  explicit Plot(const LineChart& chart) : chart_(chart), range_(range_of(chart)) {}

  [[nodiscard]] std::string axes() const {
    std::string text;
    const double distance = tick_distance(chart_, range_);
    for (double step = std::ceil(range_.low / distance); step * distance <= range_.high; ++step) {
      const double at = step * distance;
      text += fmt::format("<path class=\"axis\" d=\"M{} {:.1f}H{}\"/>\n", left, y(at), right);
      text += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}</text>\n", left - 8, y(at) + 4,
                          chart_.logarithmic ? std::pow(10.0, at) : at);
    }
    text += fmt::format("<text transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", 14,
                        (top + bottom) / 2, escaped(chart_.upward));
    for (std::size_t place = 0; place < chart_.places.size(); ++place) {
      text += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x(place), bottom + 18,
                          escaped(chart_.places[place]));
    }
    return text + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (left + right) / 2,
                              bottom + 38, escaped(chart_.across));
  }

  [[nodiscard]] std::string line(const LineChart::Series& series, std::size_t number) const {
    // Colours come again after line_colors; dashes tell lines apart without them.
    constexpr std::array dashes = {"", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 3\""};
    const std::string style =
        fmt::format("class=\"line line-{}\"{}", number % line_colors, dashes[number % dashes.size()]);
    std::string path;
    std::string points;
    bool connected = false;
    for (std::size_t place = 0; place < series.values.size(); ++place) {
      const auto at = level(chart_, series.values[place]);
      if (!at) {
        connected = false;
        continue;
      }
      path += fmt::format("{}{:.1f} {:.1f}", connected ? 'L' : 'M', x(place), y(*at));
      points +=
          fmt::format("<circle class=\"point-{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{}</title></circle>\n",
                      number % line_colors, x(place), y(*at),
                      escaped(fmt::format("{}, {}: {:.4g}", series.name, chart_.places[place], *series.values[place])));
      connected = true;
    }
    const double name_y = top + name_height * (static_cast<double>(number) + 0.5);
    std::string text = path.empty() ? "" : fmt::format("<path {} d=\"{}\"/>\n", style, path);
    text += points;
    text += fmt::format("<path {} d=\"M{} {:.1f}h26\"/>\n", style, right + 16, name_y - 4);
    return text + fmt::format("<text x=\"{}\" y=\"{:.1f}\">{}</text>\n", right + 50, name_y, escaped(series.name));
  }

 private:
  // From 0 at the first place to 1 at the last.
  [[nodiscard]] double fraction(std::size_t place) const {
    if (chart_.positions.empty()) {
      return static_cast<double>(place) / static_cast<double>(std::max<std::size_t>(chart_.places.size(), 2) - 1);
    }
    const double first = chart_.positions.front();
    const double last = chart_.positions.back();
    return last > first ? (chart_.positions[place] - first) / (last - first) : 0.0;
  }

  [[nodiscard]] double x(std::size_t place) const { return left + 16 + (right - left - 32) * fraction(place); }

  [[nodiscard]] double y(double at) const {
    return bottom - plot_height * (at - range_.low) / (range_.high - range_.low);
  }

  const LineChart& chart_;
  Range range_;
};

}  // namespace

std::string svg(const LineChart& chart, const std::string& id) {
  const Plot plot(chart);
  const double names = top + name_height * static_cast<double>(chart.series.size());
  std::string text = fmt::format(
      "<svg role=\"img\" aria-labelledby=\"{0}-title\" viewBox=\"0 0 {1} {2}\">\n<title id=\"{0}-title\">{3}</title>\n",
      id, width, std::max(height, names), escaped(chart.caption));
  text += plot.axes();
  for (std::size_t number = 0; number < chart.series.size(); ++number) {
    text += plot.line(chart.series[number], number);
  }
  return text + "</svg>\n";
}

}  // namespace crosslane::report
