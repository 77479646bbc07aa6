#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "crosslane/check.hpp"

namespace crosslane {
namespace {

std::string describe(const FindingLocation& location) {
  if (location.line == 0) {
    return fmt::format("  {} (the module says no line)\n", location.what);
  }
  const auto column = location.column == 0 ? "" : fmt::format(":{}", location.column);  // GLSL's have none
  const auto text = location.text.empty() ? "" : fmt::format("      {}\n", location.text);
  return fmt::format("  {}:{}{}: {}\n{}", location.file, location.line, column, location.what, text);
}

// "thread group (0, 0, 0), wave 1, lanes 0, 1, …"
std::string describe_place(const Finding& finding) {
  constexpr std::size_t most = 8;
  const auto shown = std::span(finding.lanes).first(std::min(most, finding.lanes.size()));
  return fmt::format("thread group ({}), wave {}, lane{} {}{}", fmt::join(finding.group, ", "), finding.wave,
                     finding.lanes.size() == 1 ? "" : "s", fmt::join(shown, ", "),
                     finding.lanes.size() > most ? ", …" : "");
}

}  // namespace

std::string describe(const Finding& finding) {
  auto text = fmt::format("{}: {}: {}\n", name(finding.severity), finding.id, finding.message);
  for (const auto& location : finding.locations) {
    text += describe(location);
  }
  text += fmt::format("  at wave size {}; {}; {} {}\n", fmt::join(finding.wave_sizes, ", "),
                      fmt::join(finding.schedules, "; "), finding.count, finding.count == 1 ? "time" : "times");
  if (!finding.lanes.empty()) {
    text += fmt::format("  first in {}\n", describe_place(finding));
  }
  for (const auto& value : finding.values) {
    text += fmt::format("  {}\n", value);
  }
  return finding.hint.empty() ? text : text + fmt::format("  hint: {}\n", finding.hint);
}

std::string describe(const CheckReport& report) {
  std::string text;
  for (const auto& finding : report.findings) {
    text += describe(finding) + "\n";
  }
  return text;
}

}  // namespace crosslane
