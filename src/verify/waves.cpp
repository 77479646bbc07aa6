#include "verify/waves.hpp"

#include <map>

namespace crosslane::conformance {

Lanes lanes_at(const Recording& recording, std::uint32_t slot, std::uint32_t thread) {
  return (Lanes(recording.at(slot + 1, thread)) << 64U) | Lanes(recording.at(slot, thread));
}

Lanes Wave::present() const {
  Lanes lanes;
  for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
    lanes[lane] = threads[lane].has_value();
  }
  return lanes;
}

Lanes Wave::callers(const std::vector<std::uint32_t>& caller_flags) const {
  Lanes lanes;
  for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
    lanes[lane] = threads[lane] && caller_flags[*threads[lane]] != 0;
  }
  return lanes;
}

bool ran(const Recording& recording, std::uint32_t thread) {
  return recording.at(slot::lane_index, thread) != Recording::unwritten;
}

std::vector<Wave> find_waves(const Recording& recording) {
  std::map<std::uint64_t, Wave> by_first_thread;
  for (std::uint32_t thread = 0; thread < recording.threads(); ++thread) {
    if (!ran(recording, thread)) {
      continue;
    }
    Wave& wave = by_first_thread[recording.at(slot::first_thread, thread)];
    if (wave.lane_count == 0) {
      wave.lane_count = static_cast<std::uint32_t>(recording.at(slot::lane_count, thread));
    }
    const std::uint64_t lane = recording.at(slot::lane_index, thread);
    if (lane < max_lanes && !wave.threads[lane]) {
      wave.threads[lane] = thread;
    }
  }
  std::vector<Wave> waves;
  for (auto& [first_thread, wave] : by_first_thread) {
    wave.first_thread = first_thread;
    wave.number = static_cast<std::uint32_t>(waves.size());
    waves.push_back(wave);
  }
  return waves;
}

}  // namespace crosslane::conformance
