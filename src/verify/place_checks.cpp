// The numbers that waves claim for themselves, and how Vulkan's built-in values compare with the waves that are there.
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>

#include "verify/checks.hpp"

namespace crosslane::conformance {
namespace {

/// Slots of kernels/verify/place.hlsl; it records no lanes after an early return.
constexpr std::uint32_t claimed_index = 5;
constexpr std::uint32_t claimed_count = 6;
constexpr std::uint32_t claimed_element = 7;
constexpr std::uint32_t subgroup_id = 8;
constexpr std::uint32_t num_subgroups = 9;
constexpr std::uint32_t place_slots = 10;

struct Shape {
  std::string_view name;
  std::uint32_t threads;
};
constexpr Shape row{"125x1", 125};
constexpr Shape rows{"7x5", 35};

std::map<std::uint32_t, std::vector<Wave>> waves_by_group(const Recording& recording, const Shape& shape) {
  std::map<std::uint32_t, std::vector<Wave>> groups;
  for (const Wave& wave : find_waves(recording)) {
    groups[static_cast<std::uint32_t>(wave.first_thread) / shape.threads].push_back(wave);
  }
  return groups;
}

/// The first thing wrong with the places that the waves of one group claimed, or an empty text.
std::string wrong_claim(const Recording& recording, const std::vector<Wave>& waves, std::uint32_t threads) {
  std::map<std::uint64_t, std::uint64_t> lanes_of_index;
  std::map<std::uint64_t, std::uint64_t> first_of_index;
  for (const Wave& wave : waves) {
    std::optional<std::uint64_t> index;
    std::uint64_t element = 0;
    std::uint64_t lanes = 0;
    for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
      if (!wave.threads[lane]) {
        continue;
      }
      const std::uint32_t thread = *wave.threads[lane];
      if (!index) {
        index = recording.at(claimed_index, thread);
        element = recording.at(claimed_element, thread);
        if (lanes_of_index.contains(*index) || *index >= waves.size()) {
          return fmt::format("wave {} has number {} of {}, taken or too high", wave.number, *index, waves.size());
        }
        first_of_index[*index] = element;
      }
      if (recording.at(claimed_index, thread) != *index || recording.at(claimed_element, thread) != element + lanes) {
        return fmt::format("wave {}, lane {}: expected number {} and element {}, got {} and {}", wave.number, lane,
                           *index, element + lanes, recording.at(claimed_index, thread),
                           recording.at(claimed_element, thread));
      }
      if (recording.at(claimed_count, thread) != waves.size()) {
        return fmt::format("wave {}, lane {}: expected {} waves, got {}", wave.number, lane, waves.size(),
                           recording.at(claimed_count, thread));
      }
      ++lanes;
    }
    lanes_of_index[index.value_or(0)] = lanes;
  }
  std::uint64_t before = 0;
  for (const auto& [index, lanes] : lanes_of_index) {
    if (first_of_index[index] != before) {
      return fmt::format("the wave with number {} begins at element {}, not {}", index, first_of_index[index], before);
    }
    before += lanes;
  }
  return before == threads ? "" : fmt::format("{} elements for {} threads", before, threads);
}

void check_claims(const Session& session, const Shape& shape, const Recording& recording) {
  for (const auto& [group, waves] : waves_by_group(recording, shape)) {
    if (const std::string wrong = wrong_claim(recording, waves, shape.threads); !wrong.empty()) {
      session.verdicts.broken("claimed-place", fmt::format("{} threads, group {}: {}", shape.name, group, wrong));
    }
  }
}

void observe_num_subgroups(const Session& session, const Shape& shape, const Recording& recording) {
  for (const auto& [group, waves] : waves_by_group(recording, shape)) {
    const std::uint64_t told = recording.at(num_subgroups, group * shape.threads);
    if (told != waves.size()) {
      session.verdicts.observed("num-subgroups", fmt::format("{} where there are {} waves", told, waves.size()));
      return;
    }
  }
  session.verdicts.observed("num-subgroups", "exact");
}

void observe_subgroup_id(const Session& session, const Shape& shape, const Recording& recording) {
  for (const auto& [group, waves] : waves_by_group(recording, shape)) {
    std::set<std::uint64_t> ids;
    for (const Wave& wave : waves) {
      ids.insert(recording.at(subgroup_id, static_cast<std::uint32_t>(wave.first_thread)));
    }
    if (ids.size() != waves.size()) {
      session.verdicts.observed("subgroup-id",
                                fmt::format("repeats: {} numbers for {} waves", ids.size(), waves.size()));
      return;
    }
  }
  session.verdicts.observed("subgroup-id", "different in every wave");
}

}  // namespace

void check_places(const Session& session) {
  for (const Shape& shape : {row, rows}) {
    Inputs inputs{.groups = probe_groups, .group_threads = shape.threads};
    inputs.values.assign(inputs.threads(), 0);
    inputs.callers.assign(inputs.threads(), 1);
    const auto recording =
        run_checked(session, fmt::format("verify.place.{}", shape.name), inputs, place_slots, {"claimed-place"});
    if (!recording) {
      continue;
    }
    check_claims(session, shape, *recording);
    if (session.info.shader_model[0] != 0) {
      continue;  // Direct3D 12 has no such values to tell of
    }
    if (shape.threads == row.threads) {
      observe_num_subgroups(session, shape, *recording);
    } else {
      observe_subgroup_id(session, shape, *recording);
    }
  }
}

}  // namespace crosslane::conformance
