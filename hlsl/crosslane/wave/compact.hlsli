// Compaction over the lanes of one wave: where the values that are kept go, and the values themselves moved there.
//
// Lanes may be inactive: those keep nothing and get nothing, so that what would go to one of them is lost. Nothing is
// lost where the active lanes are the first of the wave.
#ifndef CROSSLANE_WAVE_COMPACT_HLSLI
#define CROSSLANE_WAVE_COMPACT_HLSLI

#include "crosslane/shuffle.hlsli"
#include "crosslane/wave/ballot.hlsli"

namespace crosslane {

// What one lane knows of the lanes that keep their values.
struct KeptLanes {
  uint4 lanes;  // which they are, as a ballot
  uint count;   // how many they are, the same in all lanes
  uint rank;    // how many of them are before this lane: the place of its value if it keeps it
};

// Of all active lanes: each says whether it keeps its value. To append the kept values of many waves to a buffer, one
// lane adds `count` to the buffer's length with an atomic, broadcasts what it was, and each lane that keeps writes at
// that plus `rank`. A lane that does not keep has i - rank such lanes before it, in a wave of active lanes only.
// Cost: one ballot and, for the four words of it, about thirty integer instructions; no shuffle and no branch.
KeptLanes FindKeptLanes(bool keep) {
  KeptLanes kept;
  kept.lanes = WaveActiveBallot(keep);
  kept.count = CountLanes(kept.lanes);
  kept.rank = RankIn(kept.lanes, WaveGetLaneIndex());
  return kept;
}

}  // namespace crosslane

// The value of the i-th lane that keeps, in lane i: kept values move to the first lanes, in their order. Lanes from
// kept.count on get `filler`, their own. Call it once for each of several arrays with the same FindKeptLanes(keep).
// Cost: one index shuffle per shuffle instruction of the value, which reads active lanes only, 2 selects, and about
// fifty integer instructions that find the i-th bit of the ballot; no branch.
template <typename T>
T WaveCompact(T value, crosslane::KeptLanes kept, T filler) {
  const int source = crosslane::NthLaneIn(kept.lanes, WaveGetLaneIndex());
  // Where there is no such lane, -1 is beyond the wave: the lane reads itself, and drops that.
  const T moved = crosslane::detail::ReadOrOwn(value, uint(source));
  return crosslane::Exchange<T>::choose(source >= 0, moved, filler);
}

// The same, for one array.
// Cost: besides that, one ballot.
template <typename T>
T WaveCompact(T value, bool keep, T filler) {
  return WaveCompact(value, crosslane::FindKeptLanes(keep), filler);
}

#endif  // CROSSLANE_WAVE_COMPACT_HLSLI
