// What a race is told as, whatever memory it is about.
#pragma once

#include <string>

#include "sanitize/race_detector.hpp"
#include "sanitize/reporter.hpp"

namespace crosslane::sanitize {

/// "reads groupshared 'tile'".
std::string access_name(machine::AccessKind kind, const std::string& memory);

/// Reports a race once for each pair of instructions, relation and severity. `why` ends the sentence.
void report_race(Reporter& reporter, const Clocks& clocks, const machine::Wave& wave, const Race& race, std::string id,
                 Severity severity, const std::string& why, std::string hint);

}  // namespace crosslane::sanitize
