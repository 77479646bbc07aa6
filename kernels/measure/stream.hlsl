// Reads an array and writes WRITES vectors of every two that it reads, 0, 1 or 2: what the device's memory gives for
// that mix of reads and writes, with enough 16-byte loads in flight.
#include "crosslane/wave_size.hlsli"

#include "stream_params.hlsli"

[[vk::push_constant]] ConstantBuffer<StreamParams> params : register(b0);
[[vk::binding(0)]] StructuredBuffer<uint4> input : register(t0);
[[vk::binding(1)]] RWStructuredBuffer<uint4> output : register(u0);

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(CROSSLANE_STREAM_THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  const uint first = group.x * CROSSLANE_STREAM_THREADS * CROSSLANE_STREAM_LOADS + thread;
  uint4 values[CROSSLANE_STREAM_LOADS];
  [unroll] for (uint i = 0; i < CROSSLANE_STREAM_LOADS; ++i) {
    values[i] = input[min(first + i * CROSSLANE_STREAM_THREADS, params.vectors - 1)];
  }
#if WRITES == 2
  [unroll] for (uint j = 0; j < CROSSLANE_STREAM_LOADS; ++j) {
    const uint place = first + j * CROSSLANE_STREAM_THREADS;
    if (place < params.vectors) {
      output[place] = values[j];
    }
  }
#elif WRITES == 1
  const uint half_first = group.x * CROSSLANE_STREAM_THREADS * CROSSLANE_STREAM_LOADS / 2 + thread;
  [unroll] for (uint j = 0; j < CROSSLANE_STREAM_LOADS / 2; ++j) {
    const uint place = half_first + j * CROSSLANE_STREAM_THREADS;
    if (place < params.vectors / 2) {
      output[place] = values[2 * j] ^ values[2 * j + 1];
    }
  }
#else
  uint4 all = values[0];
  [unroll] for (uint j = 1; j < CROSSLANE_STREAM_LOADS; ++j) {
    all ^= values[j];
  }
  // Practically never, which no compiler knows.
  if (and(and(all.x == 0x9E3779B9u, all.y == 0x7F4A7C15u), and(all.z == 0xF39CC060u, all.w == 0x5CEDC834u))) {
    output[0] = all;
  }
#endif
}
