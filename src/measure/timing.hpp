// How long recorded work takes on the device, by the device's own clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"

namespace crosslane::measure {

struct TimingOptions {
  std::uint32_t warm_up = 1;  ///< runs before the timed ones; drivers compile and caches fill there
  std::uint32_t least_runs = 3;
  std::uint32_t most_runs = 15;
  /// Wall time after which no further run begins once `least_runs` are done.
  std::chrono::milliseconds budget{1000};
};

struct Timing {
  std::vector<double> runs_ms;  ///< milliseconds of each timed run, in order
  double median_ms = 0.0;
};

/// Records one run of the work; called once per run with a fresh list.
using RecordWork = std::function<Expected<void>(CommandList&)>;

/// Runs the work alone, repeatedly, between two timestamps. Errors: those of `record` and of the device; `unsupported`
/// where the device has no timestamps.
Expected<Timing> time_on_device(Device& device, const RecordWork& record, const TimingOptions& options = {});

}  // namespace crosslane::measure
