// Findings as SARIF 2.1.0, which code scanners read.
#pragma once

#include "cli/check_output.hpp"
#include "report/json.hpp"

namespace crosslane::cli {

report::Json check_sarif(const CheckOutcome& outcome);

}  // namespace crosslane::cli
