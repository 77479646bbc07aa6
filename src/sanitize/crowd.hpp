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
  /// `order` rises from one access to the next.
  void add(const PastAccess& access, const Clocks& clocks, std::uint64_t order = 0);
  /// Of the thread's last access; 0 where it has none.
  [[nodiscard]] std::uint64_t order_of(ThreadNumber thread, const Clocks& clocks) const;
  void clear() { waves_.clear(); }
  /// Calls `visit(access)` for each whose order is not below `from`, until one returns true; what it returned.
  template <typename Visit>
  bool any_of(const Clocks& clocks, std::uint64_t from, Visit visit) const {
    for (const auto& wave : waves_) {
      for (const auto& entry : wave.second) {
        if (entry.order < from) {
          continue;
        }
        bool stop = false;
        machine::for_each_lane(entry.lanes, [&](std::uint32_t lane) {
          stop = stop || visit(PastAccess{{clocks.thread_in(wave.first, lane), entry.time}, entry.source});
        });
        if (stop) {
          return true;
        }
      }
    }
    return false;
  }

 private:
  struct Entry {
    std::uint32_t time = 0;
    std::uint32_t source = 0;
    machine::Mask lanes;
    std::uint64_t order = 0;  ///< of the last one
  };
  std::unordered_map<std::uint32_t, std::vector<Entry>> waves_;
};

}  // namespace crosslane::sanitize
