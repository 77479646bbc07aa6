#include "sanitize/crowd.hpp"

namespace crosslane::sanitize {

void Crowd::add(const PastAccess& access, const Clocks& clocks, std::uint64_t order) {
  const auto lane = clocks.lane_of(access.moment.thread);
  const auto own = machine::first_lanes(lane + 1) - machine::first_lanes(lane);
  auto& entries = waves_[clocks.wave_number(access.moment.thread)];
  Entry* same = nullptr;
  for (auto& entry : entries) {
    entry.lanes = entry.lanes - own;
    same = entry.time == access.moment.time && entry.source == access.source && entry.order == order ? &entry : same;
  }
  if (same != nullptr) {
    same->lanes = same->lanes | own;
  } else {
    entries.push_back({access.moment.time, access.source, own, order});
  }
  if (entries.size() > 1) {
    std::erase_if(entries, [](const Entry& entry) { return !entry.lanes.any(); });
  }
}

bool Crowd::forget_before(std::uint32_t time) {
  for (auto& wave : waves_) {
    std::erase_if(wave.second, [time](const Entry& entry) { return entry.time < time; });
  }
  std::erase_if(waves_, [](const auto& wave) { return wave.second.empty(); });
  return !waves_.empty();
}

std::uint64_t Crowd::order_of(ThreadNumber thread, const Clocks& clocks) const {
  const auto found = waves_.find(clocks.wave_number(thread));
  if (found != waves_.end()) {
    for (const auto& entry : found->second) {
      if (entry.lanes.test(clocks.lane_of(thread))) {
        return entry.order;
      }
    }
  }
  return 0;
}

}  // namespace crosslane::sanitize
