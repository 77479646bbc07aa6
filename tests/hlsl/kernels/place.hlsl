// The wave's place in a group of X by Y by Z threads, asked for twice; FIND for FindWavePlace, else ClaimWavePlace.
#include "crosslane/lane.hlsli"

#if defined(__spirv__)
[[vk::binding(0)]]
#endif
RWStructuredBuffer<uint> records;  // [group][thread][8]

[numthreads(X, Y, Z)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  const uint at = (group.x * (X * Y * Z) + thread) * 8;
  records[at + 0] = WaveGetLaneIndex();
  records[at + 1] = WaveReadLaneFirst(thread);
  for (uint time = 0; time < 2; ++time) {
#if defined(FIND)
    const crosslane::WavePlace place = crosslane::FindWavePlace(thread, X * Y * Z);
#else
    const crosslane::WavePlace place = crosslane::ClaimWavePlace(thread);
#endif
    records[at + 2 + time * 3] = place.index;
    records[at + 3 + time * 3] = place.count;
    records[at + 4 + time * 3] = place.element;
  }
}
