// Shadow memory of places side by side that lanes side by side access: whole rows at a time.
#pragma once

#include <cstdint>
#include <span>

#include "sanitize/shadow_memory.hpp"

namespace crosslane::sanitize {

/// Places side by side: the one `i` places after the first belongs to lane `lane` + (i >> shift).
struct RowOfPlaces {
  std::uint64_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t lane = 0;
  std::uint32_t shift = 0;
};

/// A plain access of a wave.
struct RowAccess {
  ShadowMemory& memory;
  std::span<const RowOfPlaces> rows;
  GroupView group;
  ThreadNumber wave_first = 0;  ///< the wave's first thread
  std::uint32_t wave_lanes = 0;
  const std::uint32_t* times = nullptr;  ///< of the wave's threads, now
  /// Nobody cares for accesses before that time: all of the group know of them, and no other group has any.
  std::uint32_t forgotten = 1;
  std::uint32_t source = 0;  ///< place in Program::sources
  /// Of several readers two are enough, see ShadowPage.
  bool two_readers = false;
  /// A write does not end what was read before: of two writes that race nothing may be told
  /// (RaceDetector::GroupMemory), and then the reads before the first one count.
  bool keeps_reads = false;
};

/// True where nothing races with a write, as far as that shows at once: there are no crowds, and whatever others did
/// there all of the group knows.
bool is_quiet(const RowAccess& access);
/// Of an access that is quiet. False where lanes write the same place.
bool record_writes(const RowAccess& access);
/// The same as both for reads: false where the access needs a look at each lane; some places have it then already.
/// Other reads do not matter if two readers are enough.
bool record_reads(const RowAccess& access);

}  // namespace crosslane::sanitize
