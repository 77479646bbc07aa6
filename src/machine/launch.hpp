// Runs a program over thread groups.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crosslane/error.hpp"
#include "machine/group.hpp"
#include "machine/group_entries.hpp"
#include "machine/image.hpp"
#include "machine/program.hpp"

namespace crosslane::machine {

/// In which order what is not ordered runs, where a program is observed.
struct Schedule {
  bool falling_waves = false;   ///< of a group, from one barrier to the next: the last one first
  bool falling_groups = false;  ///< the last group starts first
  std::uint32_t resident = 0;   ///< groups that have begun and not ended, at most; 0: all
  /// Programs made for it (DecodeOptions::independent_lanes) run the lanes of a wave one after the other between wave
  /// operations, barriers and branches.
  bool one_lane = false;
  /// Such programs let lanes meet again only at the end of constructs that the whole wave entered together, as
  /// SPV_KHR_subgroup_uniform_control_flow promises.
  bool parting_lanes = false;
  /// Notes which constructs of such programs all waves of a group enter together; with `parting_lanes` that was noted
  /// before, and lanes meet only at the end of those, as SPIR-V without extensions promises.
  GroupEntries* entries = nullptr;
  std::uint32_t reported_lanes = 0;  ///< what shaders read as the wave size; 0: the truth
};

struct Launch {
  std::array<std::uint32_t, 3> groups{};
  /// One per root of the program; the machine fills in groupshared memory. Ranges are shorter than 2^32 bytes; what is
  /// left empty reads as 0.
  std::vector<Root> roots = {};
  /// Typed buffers, images and samplers by root; `roots` has the same memory, for atomics. May be shorter.
  std::vector<ImageView> images = {};
  std::vector<AddressRange> addresses = {};  ///< what physical pointers may point into, sorted by their first address
  std::uint32_t threads = 0;                 ///< of the host; 0: as many as it has
  /// Loop iterations, each counted for all threads of its wave, after which the dispatch is taken for one that never
  /// ends if no group has ended meanwhile. What groups do before others have to wait for them does not count.
  std::uint64_t most_iterations = std::uint64_t{1} << 32U;
  /// Watches programs that were made for it; groups then run one after the other, by the schedule.
  Observer* observer = nullptr;
  Schedule schedule = {};
  /// The thread that each lane of each wave of a group is, counted along x, then y, then z; empty: in that order.
  std::vector<std::uint32_t> lane_threads = {};
};

/// Runs all groups; returns when they have finished. Results do not depend on the number of host threads.
/// Errors: `invalid_input` for a shader that does what it must not: a barrier that not all threads of a group reach, a
/// place that it says cannot be reached; `device` for a loop without end.
Expected<void> run(const Program& program, const Launch& launch);

}  // namespace crosslane::machine
