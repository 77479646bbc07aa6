// One building block of the wave level each: what the compiler makes of it is inspected, not run.
#include "crosslane/wave/cluster.hlsli"
#include "crosslane/wave/compact.hlsli"
#include "crosslane/wave/transpose.hlsli"

#if defined(__spirv__)
[[vk::binding(0)]]
#endif
RWStructuredBuffer<uint> data;

[numthreads(64, 1, 1)]
void main(uint thread : SV_DispatchThreadID) {
  uint v[8];
  [unroll] for (uint i = 0; i < 8; ++i) {
    v[i] = data[thread * 8 + i];
  }
#if defined(TRANSPOSE)
  WaveTranspose(v);
#elif defined(BLOCK)
  WaveStripedToBlocked(v);
#elif defined(STRIPE)
  WaveBlockedToStriped(v);
#elif defined(COMPACT)
  v[0] = WaveCompact(v[0], v[1] != 0, v[2]);
#elif defined(REDUCE)
  v[0] = crosslane::ReduceClusterByShuffle<crosslane::Sum<uint>, uint, 8>::reduce(v[0]);
#elif defined(SCAN)
  crosslane::ScanClusterByShuffle<crosslane::Sum<uint>, uint, 8>::scan(v[0], v[1], v[2]);
#endif
  [unroll] for (uint k = 0; k < 8; ++k) {
    data[thread * 8 + k] = v[k];
  }
}
