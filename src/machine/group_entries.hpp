// Which constructs all waves of a group enter together, found by one run for the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace crosslane::machine {

/// Entries are the same where waves came the same way: through the same constructs, as often round their loops.
class GroupEntries {
 public:
  /// From one entry, or the end of a construct, to the next.
  static constexpr std::uint64_t next(std::uint64_t way, std::uint64_t construct) {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
    const auto mixed = (way ^ (construct + 1)) * odd;
    return mixed ^ (mixed >> 29U);
  }

  /// A wave of the group enters a construct with all its lanes.
  void note(std::uint64_t group, std::uint64_t way) { ++waves_[next(way, group)]; }
  /// How many waves of the group did.
  [[nodiscard]] std::size_t waves(std::uint64_t group, std::uint64_t way) const {
    const auto found = waves_.find(next(way, group));
    return found == waves_.end() ? 0 : found->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::size_t> waves_;
};

}  // namespace crosslane::machine
