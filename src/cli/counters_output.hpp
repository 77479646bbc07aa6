// What `crosslane run --counters` adds: what the shader did, per dispatch and per thread.
#pragma once

#include <string>

#include "machine/counters.hpp"
#include "report/json.hpp"

namespace crosslane::cli {

std::string counters_text(const machine::Counts& counts);
report::Json counters_json(const machine::Counts& counts);

}  // namespace crosslane::cli
