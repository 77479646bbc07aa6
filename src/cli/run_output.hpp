// What `crosslane run` shows, as text and as JSON.
#pragma once

#include <string>

#include "cli/run_job.hpp"
#include "report/json.hpp"

namespace crosslane::cli {

std::string run_text(const RunFlags& flags, const RunReport& report);
report::Json run_json(const RunFlags& flags, const RunReport& report);

}  // namespace crosslane::cli
