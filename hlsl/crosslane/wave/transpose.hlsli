// Transposes between the lanes of a wave and the values that each lane holds, by shuffles: no groupshared memory, and
// no array that is indexed by a variable, so that values stay in registers.
//
//   function                   value j of lane i becomes
//   WaveTranspose(v)           value i mod Size of lane j in this lane's cluster of Size lanes
//   WaveStripedToBlocked(v)    element i * Size + j of the wave, where it was element j * W + i before
//   WaveBlockedToStriped(v)    element j * W + i of the wave, where it was element i * Size + j before
//
// `v` is an array of `Size` values, a power of two that the compiler deduces: up to 128 for WaveTranspose, and up to 32
// for the others. Values are of every type that shuffle.hlsli moves. W is the wave size; lane i is in cluster i / Size.
//
// Striped is how lanes load an array fast, neighbours next to each other; blocked is how each lane gets elements in a
// row, to scan them by itself. Inside a cluster of Size lanes with Size values each, WaveTranspose is both ways.
#ifndef CROSSLANE_WAVE_TRANSPOSE_HLSLI
#define CROSSLANE_WAVE_TRANSPOSE_HLSLI

#include "crosslane/shuffle.hlsli"

namespace crosslane {
namespace detail {

// The places of a lane's values. Loops run over constants, so that nothing is left of them but selects.
template <typename T, uint Size> struct Places {
  _Static_assert(Size > 0 && Size <= 128 && (Size & (Size - 1)) == 0,
                 "the number of values to transpose is a power of two up to 128");

  // Moves value j to place j ^ mask, bit by bit; each lane may give its own mask. Bits from Size on are ignored.
  // Cost: Size * log2(Size) selects.
  static void flip(inout T v[Size], uint mask) {
    flip_bit<1>(v, mask);
    flip_bit<2>(v, mask);
    flip_bit<4>(v, mask);
    flip_bit<8>(v, mask);
    flip_bit<16>(v, mask);
    flip_bit<32>(v, mask);
    flip_bit<64>(v, mask);
  }

  template <uint Bit> static void flip_bit(inout T v[Size], uint mask) {
    if (Bit < Size) {
      const bool swaps = (mask & Bit) != 0;
      [unroll] for (uint j = 0; j < Size; ++j) {
        if ((j & Bit) == 0) {
          const T low = v[j];
          const T high = v[j | Bit];
          v[j] = Exchange<T>::choose(swaps, high, low);
          v[j | Bit] = Exchange<T>::choose(swaps, low, high);
        }
      }
    }
  }

  // In waves of fewer than Size lanes, moves value p * (Size / W) + q to place q * W + p, or back.
  // Cost: one branch for each such wave size, the same way in all lanes; nothing where a device compiles for its one.
  static void turn(inout T v[Size], bool back) {
    turn_in_waves_of<2>(v, back);
    turn_in_waves_of<4>(v, back);
    turn_in_waves_of<8>(v, back);
    turn_in_waves_of<16>(v, back);
  }

  template <uint Lanes> static void turn_in_waves_of(inout T v[Size], bool back) {
    if (Lanes < Size && Lanes == WaveGetLaneCount()) {
      T before[Size] = v;
      [unroll] for (uint j = 0; j < Size; ++j) {
        const uint other = j % Lanes * (Size / Lanes) + j / Lanes;
        v[back ? other : j] = before[back ? j : other];
      }
    }
  }
};

// Striped and blocked in bits. The number of a lane and the place of a value have powers of two as their ranges, so one
// order becomes the other by bits that change sides: `moved` bits, all of the shorter number. The lane's number then
// has `rest` bits more, or the place `same` bits more.
template <uint Size> struct Stripes {
  _Static_assert(Size <= 32, "at most 32 values are striped or blocked");

  uint moved;
  uint rest;
  uint same;
  uint low;         // the lane's lowest `moved` bits, and
  uint beside_low;  // its others
  uint top;         // the lane's highest `moved` bits, and
  uint beside_top;  // its others

  static Stripes<Size> of_lane() {
    const uint lane = WaveGetLaneIndex();
    const uint lane_bits = firstbithigh(WaveGetLaneCount());
    const uint place_bits = firstbithigh(Size);
    Stripes<Size> stripes;
    stripes.moved = min(place_bits, lane_bits);
    stripes.rest = lane_bits - stripes.moved;
    stripes.same = place_bits - stripes.moved;
    stripes.low = lane & ((1u << stripes.moved) - 1);
    stripes.beside_low = lane >> stripes.moved;
    stripes.top = lane >> stripes.rest;
    stripes.beside_top = lane & ((1u << stripes.rest) - 1);
    return stripes;
  }
};

}  // namespace detail
}  // namespace crosslane

// Transposes in each cluster of `Size` consecutive lanes: value j becomes value i of lane j, for the cluster's lanes i
// and j. It is its own inverse. Needs a wave of Size lanes or more; in a smaller one, of W lanes, the first W values
// are transposed between them, and the others stay as they are, since the lanes are not there that they would go to.
// Precondition: all lanes of a cluster are active, or none of them.
// Cost: Size - 1 xor shuffles with constant masks and 2 * Size * log2(Size) selects. (In log2(Size) rounds of Size / 2
// shuffles it would be 4 instead of 3 shuffles for 4 values, 12 instead of 7 for 8, and 80 instead of 31 for 32.)
template <uint Size, typename T>
void WaveTranspose(inout T v[Size]) {
  // Lane i has value j for lane j, and gets one from it, at place i ^ j in both: one mask for all lanes.
  crosslane::detail::Places<T, Size>::flip(v, WaveGetLaneIndex());
  [unroll] for (uint mask = 1; mask < Size; ++mask) {
    v[mask] = WaveShuffleXor(v[mask], int(mask));
  }
  crosslane::detail::Places<T, Size>::flip(v, WaveGetLaneIndex());
}

// From striped to blocked: lane i, with elements i, W + i, 2 * W + i … of the wave's Size * W before, gets elements
// i * Size, i * Size + 1, i * Size + 2 … For every Size to 32 and every wave size.
// Precondition: all lanes of the wave are active.
// Cost: Size index shuffles, 2 * Size * log2(Size) selects, about 4 * Size integer instructions.
template <uint Size, typename T>
void WaveStripedToBlocked(inout T v[Size]) {
  const crosslane::detail::Stripes<Size> stripes = crosslane::detail::Stripes<Size>::of_lane();
  crosslane::detail::Places<T, Size>::flip(v, stripes.low << stripes.same);
  [unroll] for (uint j = 0; j < Size; ++j) {
    const uint low = stripes.top ^ (j >> stripes.same);
    v[j] = WaveShuffle(v[j], int((stripes.beside_top << stripes.moved) | low));
  }
  crosslane::detail::Places<T, Size>::flip(v, stripes.top << stripes.same);
  crosslane::detail::Places<T, Size>::turn(v, false);
}

// From blocked to striped: undoes WaveStripedToBlocked, with its precondition and cost.
template <uint Size, typename T>
void WaveBlockedToStriped(inout T v[Size]) {
  const crosslane::detail::Stripes<Size> stripes = crosslane::detail::Stripes<Size>::of_lane();
  crosslane::detail::Places<T, Size>::turn(v, true);
  crosslane::detail::Places<T, Size>::flip(v, stripes.top << stripes.same);
  [unroll] for (uint j = 0; j < Size; ++j) {
    const uint top = stripes.low ^ (j >> stripes.same);
    v[j] = WaveShuffle(v[j], int((top << stripes.rest) | stripes.beside_low));
  }
  crosslane::detail::Places<T, Size>::flip(v, stripes.low << stripes.same);
}

#endif  // CROSSLANE_WAVE_TRANSPOSE_HLSLI
