// Reduction over the lanes of one wave, by shuffles or by HLSL's intrinsics.
//
// Both are strategies for group/reduce.hlsli: a struct with a static `reduce(v)` that gives every lane the combination of
// all lanes' values. Precondition: all lanes of the wave are active.
#ifndef CROSSLANE_WAVE_REDUCE_HLSLI
#define CROSSLANE_WAVE_REDUCE_HLSLI

#include "crosslane/operators.hlsli"
#include "crosslane/shuffle.hlsli"

namespace crosslane {

// A butterfly of log2(W) xor shuffles. Neighbours are combined first, then pairs, then fours: together with
// GroupReduce this is one and the same balanced tree for every wave size.
template <typename Op, typename T> struct ReduceByShuffle {
  static T reduce(T v) {
    const uint lanes = WaveGetLaneCount();
    for (uint mask = 1; mask < lanes; mask <<= 1) {
      v = Op::combine(v, WaveShuffleXor(v, int(mask)));
    }
    return v;
  }
};

// The device's own reduction; it chooses the order of a float sum.
template <typename Op, typename T> struct ReduceByIntrinsic {
  static T reduce(T v) { return Op::wave_intrinsic(v); }
};

}  // namespace crosslane

#endif  // CROSSLANE_WAVE_REDUCE_HLSLI
