// The saved JSON that `crosslane report` is made from.
#pragma once

#include <string>
#include <vector>

#include "crosslane/error.hpp"
#include "report/json.hpp"

namespace crosslane::cli {

/// What `crosslane bench --json`, `crosslane decide --json` or `crosslane report --json` saved, in one document.
/// Errors: `invalid_input` for a file that cannot be read or holds anything else; the message names the file and the
/// value.
Expected<report::Json> read_report_files(const std::vector<std::string>& files);

}  // namespace crosslane::cli
