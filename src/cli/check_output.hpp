// What `crosslane check` found, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "crosslane/check.hpp"
#include "report/json.hpp"

namespace crosslane::cli {

/// The reports of one shader's jobs.
struct CheckOutcome {
  std::string shader;
  std::vector<CheckReport> reports;
  std::vector<std::string> notes;

  [[nodiscard]] bool clean() const;
};

std::string check_text(const CheckOutcome& outcome, bool color = false);
report::Json check_json(const CheckOutcome& outcome);

}  // namespace crosslane::cli
