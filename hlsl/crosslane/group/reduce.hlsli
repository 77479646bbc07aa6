// Reduction over a thread group, built on the wave level.
//
// The two forms have one contract: every thread of a group of `Threads` threads (a power of two, and a multiple of the
// wave size) brings the value of one element, numbered by `thread`; the combination of all is returned to thread 0, what
// the others get is unspecified. Calls may follow each other with the same scratch without a barrier between.
//
// Both combine in the shape of one balanced binary tree over the numbers 0 … Threads − 1, neighbours first, so a float
// sum has the same bits in both and at every wave size (HLSL's intrinsics choose an order of their own).
#ifndef CROSSLANE_GROUP_REDUCE_HLSLI
#define CROSSLANE_GROUP_REDUCE_HLSLI

#include "crosslane/group/scratch.hlsli"
#include "crosslane/wave/reduce.hlsli"

namespace crosslane {

// Through groupshared memory alone. `Scratch` holds Threads values. Halving over bit-reversed places is the tree that
// combines neighbours first, without bank conflicts in its rounds. Cost: one barrier, and log2(Threads) rounds of one
// store, two loads and a barrier.
template <typename Op, typename Scratch, uint Threads, typename T>
T GroupReduceByGroupshared(T v, uint thread) {
  Scratch::store(reversebits(thread) / (0x80000000u / (Threads / 2)), v);
  GroupMemoryBarrierWithGroupSync();
  for (uint half = Threads / 2; half > 0; half /= 2) {
    if (thread < half) {
      Scratch::store(thread, Op::combine(Scratch::load(thread), Scratch::load(thread + half)));
    }
    GroupMemoryBarrierWithGroupSync();
  }
  return Scratch::load(0);
}

// By waves: each wave reduces its lanes, then the waves' results are reduced in the same way until one is left: one round
// for 1024 threads at 32 lanes, four at 4. Waves of a single lane go through groupshared memory. `Scratch` holds
// Threads / CROSSLANE_SMALLEST_WAVE values.
// Cost: per round one wave reduction, at most one groupshared store and load per wave, two barriers.
template <typename WaveReducer, typename Op, typename Scratch, uint Threads, typename T>
T GroupReduceByWaves(T v, uint thread) {
  const uint lanes = WaveGetLaneCount();
  if (lanes == 1) {
    return GroupReduceByGroupshared<Op, Scratch, Threads, T>(v, thread);
  }
  v = WaveReducer::reduce(v);
  for (uint count = Threads / lanes; count > 1; count = (count + lanes - 1) / lanes) {
    // `thread` of a wave's first lane is the number of its first element in this round.
    if (thread % lanes == 0 && thread / lanes < count) {
      Scratch::store(thread / lanes, v);
    }
    GroupMemoryBarrierWithGroupSync();
    v = Op::identity();
    if (thread < count) {
      v = Scratch::load(thread);
    }
    GroupMemoryBarrierWithGroupSync();
    v = WaveReducer::reduce(v);
  }
  return v;
}

}  // namespace crosslane

#endif  // CROSSLANE_GROUP_REDUCE_HLSLI
