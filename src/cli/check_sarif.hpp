// Findings as SARIF 2.1.0, which code scanners read.
#pragma once

#include <string>

#include "cli/check_output.hpp"
#include "crosslane/error.hpp"
#include "report/json.hpp"

namespace crosslane::cli {

report::Json check_sarif(const CheckOutcome& outcome);

/// Whether findings may be written there: to no file yet, or in the place of earlier ones. Errors: those of
/// find_output; `invalid_argument` where the file is there and no SARIF, as the shader itself, its job and a baseline
/// are not.
Expected<void> check_sarif_file(const std::string& path);

}  // namespace crosslane::cli
