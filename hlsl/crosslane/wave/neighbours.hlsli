// The values of neighbours in a row that goes on beyond the wave, as in filters.
//
//   function                                  returns
//   crosslane::BeyondWave(reach)              how far from its own place a lane reads a further value; 0: it need not
//   WaveReadNeighbour(own, further, d)        the value of place i + d, for |d| <= reach
//
// Lane i has the value of place i of the row, and lanes at the ends bring one more: lane i of the first `reach` that of place
// i + W, behind the wave, and lane i of the last `reach` that of place i - W, before it. Then every lane can read all places from
// i - reach to i + reach, and no lane stands idle at an end. For 2 * reach <= W, the wave size; d is the same in all lanes. Every lane of the
// wave is active.
#ifndef CROSSLANE_WAVE_NEIGHBOURS_HLSLI
#define CROSSLANE_WAVE_NEIGHBOURS_HLSLI

#include "crosslane/shuffle.hlsli"

namespace crosslane {

// Cost: two comparisons and selects.
int BeyondWave(uint reach) {
  const uint lanes = WaveGetLaneCount();
  const uint lane = WaveGetLaneIndex();
  return select(lane < reach, int(lanes), select(lane + reach >= lanes, -int(lanes), 0));
}

}  // namespace crosslane

// Lanes are in a ring: what leaves the wave at one end comes in at the other, and there the lane lends its further value.
// Cost: that of WaveRotate, a comparison and N selects.
template <typename T>
T WaveReadNeighbour(T own, T further, int distance) {
  const int lane = int(WaveGetLaneIndex());
  const bool lends = select(distance > 0, lane < distance, lane >= int(WaveGetLaneCount()) + distance);
  return WaveRotate(crosslane::Exchange<T>::choose(lends, further, own), distance);
}

#endif  // CROSSLANE_WAVE_NEIGHBOURS_HLSLI
