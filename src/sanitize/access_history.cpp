#include "sanitize/access_history.hpp"

#include <algorithm>

namespace crosslane::sanitize {

void Crowd::add(const PastAccess& access, const Clocks& clocks, std::uint64_t order) {
  const auto lane = clocks.lane_of(access.moment.thread);
  const auto own = machine::first_lanes(lane + 1) - machine::first_lanes(lane);
  auto& entries = waves_[clocks.wave_number(access.moment.thread)];
  Entry* same = nullptr;
  for (auto& entry : entries) {
    entry.lanes = entry.lanes - own;
    same = entry.time == access.moment.time && entry.source == access.source ? &entry : same;
  }
  if (same != nullptr) {
    same->lanes = same->lanes | own;
    same->order = order;
  } else {
    entries.push_back({access.moment.time, access.source, own, order});
  }
  if (entries.size() > 1) {
    std::erase_if(entries, [](const Entry& entry) { return !entry.lanes.any(); });
  }
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

Place& AccessHistory::at(std::uint64_t place) {
  const auto number = place / page_places;
  if (number != last_number_) {
    auto& page = pages_[number];
    if (page == nullptr) {
      page = std::make_unique<Page>();
    }
    last_number_ = number;
    last_ = page.get();
  }
  return (*last_)[place % page_places];
}

AccessHistory::Crowds& AccessHistory::crowds_of(Place& place) {
  if (place.crowd == 0) {
    if (free_.empty()) {
      crowds_.emplace_back();
      free_.push_back(static_cast<std::uint32_t>(crowds_.size()));
    }
    place.crowd = free_.back();
    free_.pop_back();
  }
  return crowds_[place.crowd - 1];
}

void AccessHistory::release_crowds(Place& place) {
  if (place.crowd != 0) {
    auto& crowds = crowds_[place.crowd - 1];
    crowds.reads.clear();
    crowds.atomics.clear();
    free_.push_back(place.crowd);
    place.crowd = 0;
  }
}

}  // namespace crosslane::sanitize
