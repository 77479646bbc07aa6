// Points of floats read and written two at a time, 16 bytes, and lanes that then exchange one of each two with their
// neighbour: small transforms have too few threads to read whole cache lines 8 bytes at a time.
//
// It takes points side by side, transforms that begin at multiples of 16 bytes, and threads of a transform that are
// neighbouring lanes.
#ifndef CROSSLANE_KERNELS_FFT_PAIRS_HLSLI
#define CROSSLANE_KERNELS_FFT_PAIRS_HLSLI

#include "crosslane/shuffle.hlsli"

// The same memory as `input` and `output`.
[[vk::binding(3)]] StructuredBuffer<float4> input_pairs : register(t2);
[[vk::binding(4)]] RWStructuredBuffer<float4> output_pairs : register(u1);

// The point that value j, an even one, is read from; value j + 1 is the next point. It is the value's own point with bit 0
// and the bit in which values j and j + 1 differ exchanged.
uint PairOf(crosslane::FftShare share, uint j) {
  return (j << share.thread_bits) + (share.thread & ~1u) + ((share.thread & 1) << share.thread_bits);
}

// From the order in which points are read to that of the transform, and back. All lanes of the wave are active.
void ExchangePairs(inout Complex v[POINTS], crosslane::FftShare share) {
  if (share.thread_bits != 0) {
    const bool odd = (share.thread & 1) != 0;
    [unroll] for (uint j = 0; j < POINTS; j += 2) {
      const Complex got = WaveShuffleXor(select(odd, v[j], v[j + 1]), 1);
      v[j] = select(odd, got, v[j]);
      v[j + 1] = select(odd, v[j + 1], got);
    }
  }
}

#endif  // CROSSLANE_KERNELS_FFT_PAIRS_HLSLI
