// The waves of a dispatch, put together from what its threads recorded about themselves.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "verify/probe.hpp"

namespace crosslane::conformance {

/// The most lanes that a wave has on any device, and so the bits of a ballot.
inline constexpr std::uint32_t max_lanes = 128;

using Lanes = std::bitset<max_lanes>;

/// Slots that every conformance shader records first (kernels/verify/record.hlsli).
namespace slot {
inline constexpr std::uint32_t lane_index = 0;
inline constexpr std::uint32_t lane_count = 1;
inline constexpr std::uint32_t first_thread = 2;
inline constexpr std::uint32_t present = 3;  // two slots
inline constexpr std::uint32_t active = 5;   // two slots
inline constexpr std::uint32_t own = 7;      // the first of the shader's own
}  // namespace slot

/// A ballot of two slots.
Lanes lanes_at(const Recording& recording, std::uint32_t slot, std::uint32_t thread);

struct Wave {
  std::uint32_t number = 0;        ///< in the dispatch, by its first thread
  std::uint64_t first_thread = 0;  ///< as its threads name it
  std::uint32_t lane_count = 0;    ///< W as its first thread is told it; 0 where the shader does not ask
  /// The thread that runs lane i, or nothing.
  std::array<std::optional<std::uint32_t>, max_lanes> threads;

  [[nodiscard]] Lanes present() const;
  /// The lanes whose threads stay after the early return.
  [[nodiscard]] Lanes callers(const std::vector<std::uint32_t>& caller_flags) const;
};

/// Sorts the threads that ran into waves by the first thread that each names. Lane numbers that are impossible or taken
/// twice are left out here; check_lanes reports them.
std::vector<Wave> find_waves(const Recording& recording);

/// Whether `thread` wrote its place.
bool ran(const Recording& recording, std::uint32_t thread);

}  // namespace crosslane::conformance
