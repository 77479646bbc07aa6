// Whether thread groups that have begun make progress, so that others may wait for them, and begin in order.
#include <fmt/format.h>

#include "verify/checks.hpp"

namespace crosslane::conformance {
namespace {

/// Slots of kernels/verify/progress.hlsl.
constexpr std::uint32_t ended_well = 0;
constexpr std::uint32_t progress_slots = 3;
/// More groups of one thread than any device runs at once.
constexpr std::uint32_t progress_groups = 8192;

std::uint32_t failed_waits(const Recording& recording) {
  std::uint32_t failed = 0;
  for (std::uint32_t group = 0; group < recording.threads(); ++group) {
    failed += recording.at(ended_well, group) == 1 ? 0 : 1;
  }
  return failed;
}

/// One of the two: the kernel that checks it, and what it is where the device does not promise it.
void check(const Session& session, bool promised, std::string_view id, const std::string& kernel,
           std::string_view whom) {
  Inputs inputs{.groups = progress_groups, .group_threads = 1};
  inputs.values.assign(inputs.threads(), 0);
  inputs.callers.assign(inputs.threads(), 1);
  if (promised) {
    const auto recording = run_checked(session, kernel, inputs, progress_slots, {id});
    const std::uint32_t failed = recording ? failed_waits(*recording) : 0;
    if (failed != 0) {
      session.verdicts.broken(
          id, fmt::format("{} of {} groups waited in vain for the one {} before them", failed, progress_groups, whom));
    }
    return;
  }
  const auto recording = session.probe.run(kernel, inputs, progress_slots);
  const std::uint32_t failed = recording ? failed_waits(*recording) : progress_groups;
  session.verdicts.observed(id, failed == 0 ? "seen" : fmt::format("{} of {} waits failed", failed, progress_groups));
}

}  // namespace

void check_progress(const Session& session) {
  const DeviceFeatures& features = session.info.features;
  check(session, features.group_progress, "group-progress", "verify.progress", "that began");
  check(session, features.group_order, "group-order", "verify.order", "numbered");
}

}  // namespace crosslane::conformance
