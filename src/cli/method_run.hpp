// Runs of an algorithm by one method or several: how they are timed, and whether their results agree.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/method.hpp"
#include "crosslane/passes.hpp"
#include "measure/timing.hpp"

namespace crosslane::cli {

/// Runs the work once. Errors: those of `record` and of the device.
Expected<void> run_once(Device& device, const measure::RecordWork& record);

/// The median of several runs in milliseconds; nothing where the device has no clock. Errors: as run_once.
Expected<std::optional<double>> median_time(Device& device, const measure::RecordWork& record);

/// Once for the results, then for the time, which median_time gives.
Expected<std::optional<double>> run_and_time(Device& device, const measure::RecordWork& record);

/// What is known of every run by one method.
struct MethodOutcome {
  Method asked = Method::automatic;        ///< the method asked for; the one that ran where that was up to the library
  std::optional<Method> ran = {};          ///< the one that ran; nothing where the device cannot run it
  std::optional<double> gpu_time_ms = {};  ///< median of several runs; nothing without a clock on the device
  std::string note = {};                   ///< why another method ran, or none; or that this one was chosen
  double error_bound = 0.0;                ///< of float sums: the factor of Σ|x|
};

/// Of a work that goes over its array in passes.
struct PassesOutcome : MethodOutcome {
  std::optional<Passes> passes = {};  ///< there where the method ran
};

/// The runs by the methods that were asked for, in that order.
template <typename Outcome>
struct MethodRuns {
  std::vector<Outcome> outcomes;
  bool agree = true;  ///< whether all results are the same, float sums within their error bounds

  /// The first that ran; there is one.
  [[nodiscard]] const Outcome& first() const {
    return *std::ranges::find_if(outcomes, [](const Outcome& outcome) { return outcome.ran.has_value(); });
  }
};

/// The library's note on its choice, and that it chose.
std::string choice_note(Method asked, const std::string& library_note);

/// What a Reduction, Scan, Compaction or Fft tells of its run beforehand.
template <typename Outcome, typename Plan>
Outcome outcome_of(Method asked, const Plan& plan) {
  Outcome outcome;
  outcome.asked = asked == Method::automatic ? plan.method() : asked;
  outcome.ran = plan.method();
  outcome.note = choice_note(asked, plan.method_note());
  if constexpr (std::is_base_of_v<PassesOutcome, Outcome>) {
    outcome.passes = plan.passes();
  }
  return outcome;
}

/// Runs the methods one after the other. `run(method, first)` runs one; `first` says that none has run before, so that
/// its results are those that `agree(first outcome, outcome)` compares each further one's with. A method that the
/// device lacks has an outcome that says why. Errors: those of `run` and `agree`; `unsupported` where the device can
/// run none.
template <typename Outcome, typename Run, typename Agree>
Expected<MethodRuns<Outcome>> run_methods(const std::vector<Method>& methods, const Run& run, const Agree& agree) {
  MethodRuns<Outcome> runs;
  std::optional<Outcome> first;
  std::optional<Error> refused;
  for (const Method method : methods) {
    Expected<Outcome> outcome = run(method, !first.has_value());
    if (!outcome && outcome.error().code != ErrorCode::unsupported) {
      return tl::unexpected(std::move(outcome.error()));
    }
    if (!outcome) {
      refused = std::move(outcome.error());
      Outcome none;
      none.asked = method;
      none.note = refused->message;
      runs.outcomes.push_back(std::move(none));
      continue;
    }
    if (first) {
      const Expected<bool> same = agree(*first, *outcome);
      if (!same) {
        return tl::unexpected(same.error());
      }
      runs.agree = runs.agree && *same;
    } else {
      first = *outcome;
    }
    runs.outcomes.push_back(*std::move(outcome));
  }
  if (refused && !first) {
    return tl::unexpected(*std::move(refused));
  }
  return runs;
}

}  // namespace crosslane::cli
