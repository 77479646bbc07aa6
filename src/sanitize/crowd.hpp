// Accesses of many threads to one place.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sanitize/clocks.hpp"

namespace crosslane::sanitize {

/// An access that was recorded.
struct PastAccess {
  Moment moment;
  std::uint32_t source = 0;  ///< place in Program::sources
};

/// One access per thread; those of one wave at one time share an entry.
class Crowd {
 public:
  /// `order` rises from one instruction to the next; lanes of one follow each other.
  void add(const PastAccess& access, const Clocks& clocks, std::uint64_t order = 0);
  /// Forgets what was before that time; false where nothing is left.
  bool forget_before(std::uint32_t time);
  /// Of the thread's last access; 0 where it has none.
  [[nodiscard]] std::uint64_t order_of(ThreadNumber thread, const Clocks& clocks) const;
  void clear() { waves_.clear(); }
  /// Calls `visit(access)` for each, until one returns true; what it returned.
  template <typename Visit>
  bool any_of(const Clocks& clocks, Visit visit) const {
    return any_after(clocks, 0, 0, visit);
  }
  /// The same for those after the thread's own last one, all where it has none.
  template <typename Visit>
  bool any_after_own(const Clocks& clocks, ThreadNumber own, Visit visit) const {
    return any_after(clocks, order_of(own, clocks), clocks.lane_of(own), visit);
  }

 private:
  template <typename Visit>
  bool any_after(const Clocks& clocks, std::uint64_t order, std::uint32_t own_lane, Visit visit) const {
    for (const auto& wave : waves_) {
      for (const auto& entry : wave.second) {
        if (entry.order < order) {
          continue;
        }
        // Of the thread's own instruction, lower lanes came before it.
        const auto before = order != 0 && entry.order == order ? machine::first_lanes(own_lane) : machine::Mask{};
        bool stop = false;
        machine::for_each_lane(entry.lanes - before, [&](std::uint32_t lane) {
          stop = stop || visit(PastAccess{{clocks.thread_in(wave.first, lane), entry.time}, entry.source});
        });
        if (stop) {
          return true;
        }
      }
    }
    return false;
  }

  struct Entry {
    std::uint32_t time = 0;
    std::uint32_t source = 0;
    machine::Mask lanes;
    std::uint64_t order = 0;  ///< of the last one
  };
  std::unordered_map<std::uint32_t, std::vector<Entry>> waves_;
};

}  // namespace crosslane::sanitize
