// Who accessed each place of memory last, as far as it can still race with what comes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sanitize/clocks.hpp"

namespace crosslane::sanitize {

/// An access that was recorded.
struct PastAccess {
  Moment moment;
  std::uint32_t source = 0;  ///< place in Program::sources
  [[nodiscard]] bool any() const { return moment.time != 0; }
};

/// Accesses of many threads, one per thread; those of one wave at one time share an entry.
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

/// Plain reads and atomics since the last plain write count beside it.
struct Place {
  PastAccess write;
  PastAccess read;          ///< the only one, or none
  std::uint32_t crowd = 0;  ///< place in AccessHistory's crowds plus one: further reads, and atomics
};

/// Of one root. Places are made when they are first touched.
class AccessHistory {
 public:
  Place& at(std::uint64_t place);
  struct Crowds {
    Crowd reads;
    Crowd atomics;
  };
  /// Made if need be.
  Crowds& crowds_of(Place& place);
  [[nodiscard]] Crowds* existing_crowds(const Place& place) {
    return place.crowd == 0 ? nullptr : &crowds_[place.crowd - 1];
  }
  void release_crowds(Place& place);

 private:
  static constexpr std::size_t page_places = 256;
  using Page = std::array<Place, page_places>;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
  std::vector<Crowds> crowds_;
  std::vector<std::uint32_t> free_;
};

}  // namespace crosslane::sanitize
