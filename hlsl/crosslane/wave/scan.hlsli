// Scans over the lanes of one wave, by shuffles or by HLSL's intrinsics.
//
// All are strategies for group/scan.hlsli: a struct with static functions
//   lanes(), lane()                            how many lanes take part, and which of them this is
//   scan(v, out before, out total)             the combination of the lanes before this one, and of all lanes
//   last_where(condition)                      the highest lane for which it holds, or -1
// Operands are combined in the order of the lanes, so an operator need not be commutative (with ReduceByShuffle it must
// be). Precondition: all lanes of the wave are active.
#ifndef CROSSLANE_WAVE_SCAN_HLSLI
#define CROSSLANE_WAVE_SCAN_HLSLI

#include "crosslane/operators.hlsli"
#include "crosslane/shuffle.hlsli"
#include "crosslane/wave/ballot.hlsli"

namespace crosslane {

// In log2(W) rounds of one shuffle each; the distance doubles (Hillis and Steele 1986).
template <typename Op, typename T> struct ScanByShuffle {
  static uint lanes() { return WaveGetLaneCount(); }
  static uint lane() { return WaveGetLaneIndex(); }
  static int last_where(bool condition) { return LastLaneIn(WaveActiveBallot(condition)); }

  // The combination of this lane's value with those of all lanes before it.
  static T inclusive(T v) {
    const uint number = lane();
    for (uint distance = 1; distance < lanes(); distance <<= 1) {
      const T earlier = WaveShuffleUp(v, int(distance));
      if (number >= distance) {
        v = Op::combine(earlier, v);
      }
    }
    return v;
  }

  static void scan(T v, out T before, out T total) {
    const T including = inclusive(v);
    total = WaveBroadcast(including, int(lanes()) - 1);
    before = WaveShuffleUp(including, 1);
    if (lane() == 0) {
      before = Op::identity();
    }
  }
};

// The device's own prefix sum, which chooses the order of a float sum. For operators with `wave_prefix_intrinsic`.
template <typename Op, typename T> struct ScanByIntrinsic {
  static uint lanes() { return WaveGetLaneCount(); }
  static uint lane() { return WaveGetLaneIndex(); }
  static int last_where(bool condition) { return LastLaneIn(WaveActiveBallot(condition)); }

  static T inclusive(T v) { return Op::combine(Op::wave_prefix_intrinsic(v), v); }

  static void scan(T v, out T before, out T total) {
    before = Op::wave_prefix_intrinsic(v);
    total = WaveBroadcast(Op::combine(before, v), int(lanes()) - 1);
  }
};

// Every lane for itself: no wave operation at all.
template <typename Op, typename T> struct ScanAlone {
  static uint lanes() { return 1; }
  static uint lane() { return 0; }
  static int last_where(bool condition) { return condition ? 0 : -1; }
  static T inclusive(T v) { return v; }
  static void scan(T v, out T before, out T total) {
    before = Op::identity();
    total = v;
  }
};

}  // namespace crosslane

#endif  // CROSSLANE_WAVE_SCAN_HLSLI
