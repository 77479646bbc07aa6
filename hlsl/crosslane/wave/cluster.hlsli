// Reductions and scans inside clusters: groups of `Size` consecutive lanes of a wave, by shuffles.
//
// Lane i of a wave of W lanes is in cluster i / Size, with the lanes from i / Size * Size on. `Size` is a power of two,
// known when the shader is compiled; where it is W or more, the cluster is the whole wave, and where it is 1 every lane
// is alone. So clusters of 8 have 8 lanes on most devices and 4 on one whose waves have 4: ask Cluster<Size>::lanes().
//
// The structs are strategies like those of wave/reduce.hlsli and wave/scan.hlsli, with the same functions, for the
// operators of operators.hlsli and for your own. Precondition: all lanes of a cluster are active, or none of them; what
// other clusters do does not matter, so each may run a loop of its own length.
//
// Cost: each shuffle below is N shuffle instructions, as shuffle.hlsli counts them, with a distance or mask that is a
// constant; a round also combines once.
#ifndef CROSSLANE_WAVE_CLUSTER_HLSLI
#define CROSSLANE_WAVE_CLUSTER_HLSLI

#include "crosslane/operators.hlsli"
#include "crosslane/shuffle.hlsli"
#include "crosslane/wave/ballot.hlsli"

namespace crosslane {

// The cluster that this lane is in.
template <uint Size> struct Cluster {
  _Static_assert(Size > 0 && (Size & (Size - 1)) == 0, "the size of a cluster is a power of two");

  static uint lanes() { return min(Size, WaveGetLaneCount()); }
  // The lane's number in its cluster, and the number in the wave of the cluster's first lane.
  static uint lane() { return WaveGetLaneIndex() & (Size - 1); }
  static uint first() { return WaveGetLaneIndex() - lane(); }

  // Whether clusters have lanes at this distance; false when the shader is compiled for every distance from Size on.
  template <uint Distance> static bool reaches() { return and(Distance < Size, Distance < WaveGetLaneCount()); }
};

// Gives every lane the combination of all values of its cluster; the operator is commutative. Neighbours are combined
// first, then pairs, then fours: the tree of ReduceByShuffle, cut off at the cluster.
// Cost: log2(Size) rounds of one xor shuffle.
template <typename Op, typename T, uint Size> struct ReduceClusterByShuffle {
  static T reduce(T v) {
    v = round_of<1>(v);
    v = round_of<2>(v);
    v = round_of<4>(v);
    v = round_of<8>(v);
    v = round_of<16>(v);
    v = round_of<32>(v);
    return round_of<64>(v);
  }

  template <uint Mask> static T round_of(T v) {
    if (Cluster<Size>::template reaches<Mask>()) {
      v = Op::combine(v, WaveShuffleXor(v, int(Mask)));
    }
    return v;
  }
};

// Operands are combined in the order of the lanes, so the operator need not be commutative.
template <typename Op, typename T, uint Size> struct ScanClusterByShuffle {
  static uint lanes() { return Cluster<Size>::lanes(); }
  static uint lane() { return Cluster<Size>::lane(); }

  // The highest lane of the cluster for which the condition holds, by its number in the cluster, or -1.
  // Cost: one ballot, and about fifty integer instructions for 128 lanes.
  static int last_where(bool condition) {
    const uint first = Cluster<Size>::first();
    const uint4 cluster = LanesBefore(first + lanes()) & ~LanesBefore(first);
    const int last = LastLaneIn(WaveActiveBallot(condition) & cluster);
    return max(last - int(first), -1);
  }

  // The combination of this lane's value with those of all lanes before it in its cluster.
  // Cost: log2(Size) rounds of one up shuffle; the distance doubles (Hillis and Steele 1986).
  static T inclusive(T v) {
    v = round_of<1>(v);
    v = round_of<2>(v);
    v = round_of<4>(v);
    v = round_of<8>(v);
    v = round_of<16>(v);
    v = round_of<32>(v);
    return round_of<64>(v);
  }

  // The exclusive scan: the combination of the lanes before this one in its cluster, and of the whole cluster.
  // Cost: that of inclusive(), one up shuffle and one index shuffle.
  static void scan(T v, out T before, out T total) {
    const T including = inclusive(v);
    total = WaveShuffle(including, int(Cluster<Size>::first() + lanes() - 1));
    before = WaveShuffleUp<1>(including);
    if (lane() == 0) {
      before = Op::identity();
    }
  }

  template <uint Distance> static T round_of(T v) {
    if (Cluster<Size>::template reaches<Distance>()) {
      const T earlier = WaveShuffleUp<int(Distance)>(v);
      if (lane() >= Distance) {
        v = Op::combine(earlier, v);
      }
    }
    return v;
  }
};

}  // namespace crosslane

#endif  // CROSSLANE_WAVE_CLUSTER_HLSLI
