// Who accessed each place of memory last, as far as it can still race with what comes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sanitize/crowd.hpp"

namespace crosslane::sanitize {

constexpr std::uint32_t page_places = 256;
constexpr std::uint32_t block_places = 32;

/// An access of each of many places: by whom, when (0: none), and by which instruction (a place in Program::sources).
struct PlaceAccesses {
  std::array<ThreadNumber, page_places> thread;
  std::array<std::uint32_t, page_places> time{};
  std::array<std::uint32_t, page_places> source;

  [[nodiscard]] PastAccess operator[](std::uint32_t place) const {
    return {{thread[place], time[place]}, source[place]};
  }
  void set(std::uint32_t place, const PastAccess& access) {
    thread[place] = access.moment.thread;
    time[place] = access.moment.time;
    source[place] = access.source;
  }
  void clear(std::uint32_t place) { time[place] = 0; }
};

/// The last write of places side by side, and reads since. Of many readers two are kept, as far apart as there are: any
/// thread that races with one of all of them races with one of these. Only where atomics or fences may order a thread
/// after some readers and not after others, further readers are in crowds; so are atomics.
struct ShadowPage {
  PlaceAccesses writes;
  PlaceAccesses reads;
  PlaceAccesses other_reads;
  std::array<std::uint32_t, page_places> crowds{};  ///< place in ShadowMemory's crowds plus one
  /// Of the places of a block side by side: no access is later; with crowds, no time is.
  std::array<std::uint32_t, page_places / block_places> latest{};

  void touch(std::uint32_t place, std::uint32_t time) {
    auto& block = latest[place / block_places];
    block = std::max(block, time);
  }
};

/// Of one root. Pages are made when they are first touched.
class ShadowMemory {
 public:
  ShadowPage& page(std::uint64_t number) {
    if (number < pages_.size() && pages_[number] != nullptr) {
      return *pages_[number];
    }
    return make_page(number);
  }

  struct Crowds {
    Crowd reads;
    Crowd atomics;
  };
  /// Made if need be.
  Crowds& crowds_of(ShadowPage& page, std::uint32_t place);
  [[nodiscard]] Crowds* existing_crowds(const ShadowPage& page, std::uint32_t place) {
    return page.crowds[place] == 0 ? nullptr : &crowds_[page.crowds[place] - 1];
  }
  void release_crowds(ShadowPage& page, std::uint32_t place);
  /// As at the beginning, but keeps its memory.
  void clear();

 private:
  ShadowPage& make_page(std::uint64_t number);

  std::vector<std::unique_ptr<ShadowPage>> pages_;
  std::unordered_map<std::uint64_t, std::unique_ptr<ShadowPage>> far_pages_;  ///< of physical addresses
  std::vector<Crowds> crowds_;
  std::vector<std::uint32_t> free_;
};

}  // namespace crosslane::sanitize
