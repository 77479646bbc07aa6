// What the runs of all algorithms by some method have in common: how they are timed, and what is said of the method.
#pragma once

#include <optional>
#include <string>

#include "crosslane/device.hpp"
#include "crosslane/method.hpp"
#include "measure/timing.hpp"

namespace crosslane::cli {

/// Runs the work once. Errors: those of `record` and of the device.
Expected<void> run_once(Device& device, const measure::RecordWork& record);

/// The median of several runs in milliseconds; nothing where the device has no clock. Errors: as run_once.
Expected<std::optional<double>> median_time(Device& device, const measure::RecordWork& record);

/// The library's note on its choice, and that it chose.
std::string choice_note(Method asked, const std::string& library_note);

/// The note, and before it that `ran` ran where another was asked for.
std::string note_text(Method asked, Method ran, const std::string& note);

}  // namespace crosslane::cli
