// What the checks of the conformance run share: where they look, and how they say what differs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/device.hpp"
#include "verify/element_type.hpp"
#include "verify/probe.hpp"
#include "verify/verdicts.hpp"
#include "verify/waves.hpp"

namespace crosslane::conformance {

/// One device at one wave size.
struct Session {
  const DeviceInfo& info;
  std::uint32_t wave_size;  ///< lanes per wave that the device says it runs
  Probe& probe;
  Verdicts& verdicts;
};

/// How a dispatch fills waves, and which of its threads take part in what is checked.
struct Situation {
  std::uint32_t group_threads;
  bool early_return;  ///< some threads have left
  std::string_view text;
};

inline constexpr std::array all_situations = {Situation{128, false, "full waves"},
                                              Situation{128, true, "after an early return"},
                                              Situation{125, false, "partly filled last wave"},
                                              Situation{125, true, "partly filled last wave after an early return"}};

/// Groups of each dispatch.
inline constexpr std::uint32_t probe_groups = 3;

/// Inputs for a situation: groups, callers, and one value per thread, all zero.
Inputs make_inputs(const Situation& situation);

/// Numbers that look random and are the same on every host; `index` selects one.
std::uint64_t hash(std::uint64_t index);

/// Runs the kernel `name`, which checks `promises`: they become checked, and broken with the driver's error where the
/// run fails.
std::optional<Recording> run_checked(const Session& session, const std::string& name, const Inputs& inputs,
                                     std::uint32_t slots, const std::vector<std::string_view>& promises);

/// The same for kernels that record their lanes before and after an early return, which is checked too: lanes-run,
/// wave-size, full-waves, lane-index, early-return. `name` lacks the number of threads that ends it.
std::optional<Recording> run_situation(const Session& session, const std::string& name, const Situation& situation,
                                       const Inputs& inputs, std::uint32_t slots,
                                       const std::vector<std::string_view>& promises);

/// One comparison: what lane `lane` of `wave` should have recorded.
struct Comparison {
  std::string_view promise;
  std::string_view type;       ///< "u32", or empty
  std::string_view situation;  ///< Situation::text
  std::uint32_t wave = 0;
  std::uint32_t lane = 0;
  std::uint64_t expected = 0;
  std::uint64_t got = 0;
  std::string note = {};  ///< "distance -3", or empty
};

/// Breaks the promise where the values differ.
void compare(const Session& session, const Comparison& comparison);

void check_shuffles(const Session& session);
void check_reductions(const Session& session);
void check_votes(const Session& session);
void check_divergence(const Session& session);
void check_places(const Session& session);
/// Promises of devices with DeviceFeatures::group_progress and group_order, else observations.
void check_progress(const Session& session);
void observe_lanes(const Session& session);
void observe_denormals(const Session& session);

}  // namespace crosslane::conformance
