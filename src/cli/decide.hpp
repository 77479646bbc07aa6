// What `crosslane decide` decides, for other verbs.
#pragma once

#include "cli/console.hpp"
#include "cli/measure_flags.hpp"
#include "report/json.hpp"

namespace crosslane::cli {

/// The JSON of `crosslane decide` for all algorithms and its usual threshold; nothing is stored. Errors: those of
/// flags and devices.
Expected<report::Json> decide_document(const MeasureFlags& flags, const Console& console);

}  // namespace crosslane::cli
