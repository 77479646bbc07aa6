// What the runs of all algorithms by some method have in common: how they are timed, and what is said of the method.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "crosslane/device.hpp"
#include "crosslane/method.hpp"
#include "crosslane/passes.hpp"
#include "measure/timing.hpp"
#include "report/json.hpp"

namespace crosslane::cli {

/// Runs the work once. Errors: those of `record` and of the device.
Expected<void> run_once(Device& device, const measure::RecordWork& record);

/// The median of several runs in milliseconds; nothing where the device has no clock. Errors: as run_once.
Expected<std::optional<double>> median_time(Device& device, const measure::RecordWork& record);

/// The library's note on its choice, and that it chose.
std::string choice_note(Method asked, const std::string& library_note);

/// The note, and before it that `ran` ran where another was asked for.
std::string note_text(Method asked, Method ran, const std::string& note);

/// One run of a work that goes over its array in passes.
struct RunOutcome {
  Method asked = Method::automatic;  ///< the method asked for; the one that ran where that was up to the library
  Method ran = Method::groupshared;  ///< the one that ran
  Passes passes = Passes::one;
  std::optional<double> gpu_time_ms = {};  ///< median of several runs; nothing without a clock on the device
  std::string note = {};                   ///< why another method ran, or none; or that this one was chosen
};

/// What is known of it before it runs, from a Scan or a Compaction.
template <typename Plan>
RunOutcome outcome_of(Method asked, const Plan& plan) {
  return {.asked = asked == Method::automatic ? plan.method() : asked,
          .ran = plan.method(),
          .passes = plan.passes(),
          .note = choice_note(asked, plan.method_note())};
}

/// A table of one line, with the rate for `bytes` bytes.
std::string outcome_text(const RunOutcome& outcome, std::uint64_t bytes);
report::Json outcome_json(const RunOutcome& outcome);

}  // namespace crosslane::cli
