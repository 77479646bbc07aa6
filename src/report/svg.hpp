// Charts as SVG for a page of HTML. Colours are classes of the page: bar, whisker, axis, line-0 to line-9.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/page.hpp"

namespace crosslane::report {

inline constexpr std::size_t line_colors = 10;

/// Text for HTML and XML, also in attributes: no markup, no control characters.
std::string escaped(std::string_view text);

/// `id` is a word that no other chart of the page has.
std::string svg(const BarChart& chart, const std::string& id);
std::string svg(const LineChart& chart, const std::string& id);

}  // namespace crosslane::report
