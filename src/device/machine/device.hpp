// Watching the wave machine as a device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "crosslane/machine.hpp"
#include "machine/launch.hpp"
#include "machine/observer.hpp"

namespace crosslane::machine {

/// From now on pipelines of `device` are made to be watched, and what is submitted is told to `observer`, which must
/// live on; null ends that. Errors: `unsupported` for a device that is not the wave machine.
Expected<void> observe(Device& device, Observer* observer);

/// How a device is watched.
struct Watch {
  Observer* observer = nullptr;    ///< of what is submitted; null: nobody yet
  bool instructions = true;        ///< pipelines tell of each; else of what accesses memory or other lanes alone
  bool undefined_values = false;   ///< pipelines follow them
  bool independent_lanes = false;  ///< pipelines suit Schedule::one_lane and Schedule::parting_lanes
  Schedule schedule = {};
  std::vector<std::uint32_t> lane_threads = {};       ///< see Launch
  std::optional<std::uint64_t> most_iterations = {};  ///< see Launch; the device's if not given
};

/// As `observe`, with a choice of what runs in which order; pipelines that were made before stay as they are, and
/// command lists too. Errors: as `observe`.
Expected<void> watch(Device& device, Watch watch);

/// The program behind a pipeline of the wave machine; null for those of other devices.
const Program* program_of(const Pipeline& pipeline);

}  // namespace crosslane::machine
