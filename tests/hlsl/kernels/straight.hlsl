// Every shuffle once, without a branch of its own: what the compiler makes of it is inspected, not run.
#include "crosslane/shuffle.hlsli"

#if defined(__spirv__)
[[vk::binding(0)]]
#endif
RWStructuredBuffer<uint4> data;

[numthreads(64, 1, 1)]
void main(uint thread : SV_DispatchThreadID) {
  uint4 value = data[thread];
  const int distance = int(value.x);
  value = WaveShuffleUp(value, distance);
  value = WaveShuffleDown(value, distance);
  value = WaveShuffleUp<1>(value);
  value = WaveShuffleDown<1>(value);
  value = WaveShuffleXor(value, 1);
  value = WaveShuffle(value, distance);
  value = SafeReadLane(value, distance);
  value = WaveRotate(value, distance);
  value = WaveBroadcast(value, 3);
  data[thread] = value;
}
