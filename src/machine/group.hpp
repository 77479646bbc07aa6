// One thread group while it runs: its memory and its waves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <hwy/aligned_allocator.h>

#include "machine/wave.hpp"

namespace crosslane::machine {

class GroupEntries;

/// A range of memory that physical pointers may point into.
struct AddressRange {
  std::uint64_t first = 0;
  std::uint64_t bytes = 0;
  std::byte* data = nullptr;
};

struct Group {
  std::array<std::uint32_t, 3> id{};
  std::array<std::uint32_t, 3> count{};  ///< groups of the dispatch
  std::uint64_t number = 0;              ///< in the order x, then y, then z
  bool has_turn = false;
  bool falling = false;                            ///< the last wave runs first
  bool one_lane = false;                           ///< see Schedule
  bool parting_lanes = false;                      ///< see Schedule
  GroupEntries* entries = nullptr;                 ///< see Schedule
  std::uint32_t reported_lanes = 0;                ///< see Schedule
  std::vector<Root> roots;                         ///< the dispatch's, with this group's memory at groupshared_root
  const std::vector<ImageView>* images = nullptr;  ///< by root; shorter where the last roots are no images
  const std::vector<AddressRange>* addresses = nullptr;  ///< sorted by `first`
  // The allocator gives arrays. NOLINTNEXTLINE(modernize-avoid-c-arrays)
  hwy::AlignedFreeUniquePtr<std::byte[]> memory;  ///< registers of all waves, then groupshared memory
  std::byte* groupshared = nullptr;
  std::vector<Wave> waves;
  std::vector<Frame> frames;  ///< of all waves
  /// Where undefined values are followed: of all waves' registers, and of every byte of groupshared memory. Origins of
  /// bytes count where the state is `undefined`.
  std::vector<Origin> register_poison;
  std::vector<std::uint8_t> poisoned_rows;
  std::vector<ByteState> groupshared_states;
  std::vector<Origin> groupshared_poison;
  /// The thread, counted along x, then y, then z, of each lane of each wave; null: in that order.
  const std::vector<std::uint32_t>* threads = nullptr;
};

}  // namespace crosslane::machine
