// A report's findings as text, for tests that fail.
#pragma once

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "crosslane/check.hpp"

namespace crosslane::test {

inline std::string describe(const CheckReport& report) {
  std::string text;
  for (const auto& finding : report.findings) {
    text += fmt::format("{} ({}) at {} [{}]: {}\n", finding.id, name(finding.severity),
                        fmt::join(finding.wave_sizes, ","), fmt::join(finding.schedules, "; "), finding.message);
    for (const auto& location : finding.locations) {
      text += fmt::format("  {}:{}: {} | {}\n", location.file, location.line, location.what, location.text);
    }
    for (const auto& value : finding.values) {
      text += fmt::format("  {}\n", value);
    }
  }
  return text;
}

}  // namespace crosslane::test
