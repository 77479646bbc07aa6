#include "cli/percent.hpp"

#include <charconv>

#include <fmt/format.h>

#include "report/printable.hpp"

namespace crosslane::cli {

Expected<double> parse_percent(std::string_view flag, const std::string& text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  const bool percent = unit == "%";
  const double most = percent ? 1000.0 : 1.0;  // a bare 20 is meant as 20 %, and says 2000 %
  const double fraction = percent ? value / 100.0 : value;
  if (error != std::errc() || (!percent && !unit.empty()) || !(value >= 0.0 && value <= most)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} '{}': give a percentage from 0% to 1000%, as 20%, or a fraction up to 1, as 0.2", flag,
                            report::printable(text)));
  }
  return fraction;
}

}  // namespace crosslane::cli
