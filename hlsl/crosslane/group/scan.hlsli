// Scans over a thread group, built on the wave level.
//
// The two forms have one contract: every thread of a group of `Threads` threads (a power of two, and a multiple of the
// wave size) brings a value, numbered by `thread`; every thread gets the combination of the values before its own, and of
// all values. Operands are combined in order. Calls may follow each other with the same scratch without a barrier between.
#ifndef CROSSLANE_GROUP_SCAN_HLSLI
#define CROSSLANE_GROUP_SCAN_HLSLI

#include "crosslane/group/scratch.hlsli"
#include "crosslane/wave/scan.hlsli"

namespace crosslane {

// Through groupshared memory alone. `Scratch` holds Threads values. Cost: 2 log2(Threads) + 2 barriers.
template <typename Op, typename Scratch, uint Threads, typename T>
void GroupScanByGroupshared(T v, uint thread, out T before, out T total) {
  Scratch::store(thread, v);
  GroupMemoryBarrierWithGroupSync();
  for (uint distance = 1; distance < Threads; distance <<= 1) {
    T earlier = Op::identity();
    if (thread >= distance) {
      earlier = Scratch::load(thread - distance);
    }
    GroupMemoryBarrierWithGroupSync();
    v = Op::combine(earlier, v);
    Scratch::store(thread, v);
    GroupMemoryBarrierWithGroupSync();
  }
  before = Op::identity();
  if (thread != 0) {
    before = Scratch::load(thread - 1);
  }
  total = Scratch::load(Threads - 1);
  GroupMemoryBarrierWithGroupSync();
}

// One value per wave, `of_wave`, the same in all its lanes; `before` is the combination of the waves before this one.
// `Scratch` holds Threads / CROSSLANE_SMALLEST_WAVE + 1 values. Where the waves are no more than the lanes of one, each
// wave scans all values for itself; else the first wave scans them in parts.
// Cost: one groupshared store and load per wave, and two barriers (three with more waves than lanes).
template <typename WaveScanner, typename Op, typename Scratch, uint Threads, typename T>
void GroupScanWaves(T of_wave, uint thread, out T before, out T total) {
  const uint lanes = WaveScanner::lanes();
  const uint lane = thread % lanes;
  const uint wave = thread / lanes;
  const uint waves = Threads / lanes;
  if (lane == 0) {
    Scratch::store(wave, of_wave);
  }
  GroupMemoryBarrierWithGroupSync();
  if (waves <= lanes) {
    T v = Op::identity();
    if (lane < waves) {
      v = Scratch::load(lane);
    }
    T before_lane;
    WaveScanner::scan(v, before_lane, total);
    before = WaveBroadcast(before_lane, int(wave));
  } else {
    if (thread < lanes) {
      T carry = Op::identity();
      for (uint first = 0; first < waves; first += lanes) {
        T before_lane;
        T all;
        WaveScanner::scan(Scratch::load(first + lane), before_lane, all);
        Scratch::store(first + lane, Op::combine(carry, before_lane));
        carry = Op::combine(carry, all);
      }
      if (lane == 0) {
        Scratch::store(waves, carry);
      }
    }
    GroupMemoryBarrierWithGroupSync();
    before = Scratch::load(wave);
    total = Scratch::load(waves);
  }
  GroupMemoryBarrierWithGroupSync();
}

// By waves: each wave scans its lanes, then the waves' totals are scanned. Scratch and cost as for GroupScanWaves, and a
// wave scan.
template <typename WaveScanner, typename Op, typename Scratch, uint Threads, typename T>
void GroupScanByWaves(T v, uint thread, out T before, out T total) {
  T before_in_wave;
  T of_wave;
  WaveScanner::scan(v, before_in_wave, of_wave);
  GroupScanWaves<WaveScanner, Op, Scratch, Threads, T>(of_wave, thread, before, total);
  before = Op::combine(before, before_in_wave);
}

}  // namespace crosslane

#endif  // CROSSLANE_GROUP_SCAN_HLSLI
