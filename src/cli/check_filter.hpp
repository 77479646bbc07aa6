// Findings that are known or allowed.
#pragma once

#include <string>
#include <vector>

#include "cli/check_output.hpp"
#include "crosslane/error.hpp"

namespace crosslane::cli {

/// What is left out of a report.
struct CheckFilter {
  std::vector<std::string> suppressed;  ///< ID or ID:LINE
  std::string baseline;                 ///< a file of an earlier --json; empty for none
};

/// Takes out findings that are suppressed by flag, by a comment "crosslane: allow(ID)" on one of their lines, or are in
/// the baseline, and notes how many. Errors: `invalid_argument` for an unknown id, `invalid_input` for a baseline that
/// cannot be read.
Expected<void> apply_filter(const CheckFilter& filter, CheckOutcome& outcome);

}  // namespace crosslane::cli
