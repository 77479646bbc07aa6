// The helpers for sets of lanes, called by the threads whose number is not a multiple of three.
#include "crosslane/lane.hlsli"

#if defined(__spirv__)
[[vk::binding(0)]]
#endif
StructuredBuffer<uint> asked;  // lane numbers, QUESTIONS of them
#if defined(__spirv__)
[[vk::binding(1)]]
#endif
RWStructuredBuffer<uint> records;  // [thread][2 + 5 + QUESTIONS]

[numthreads(157, 1, 1)]
void main(uint thread : SV_GroupIndex) {
  uint at = thread * (7 + QUESTIONS);
  records[at++] = WaveGetLaneIndex();
  records[at++] = WaveReadLaneFirst(thread);
  if (thread % 3 == 0) {
    return;
  }
  const uint4 active = crosslane::ActiveLanes();
  records[at++] = crosslane::CountLanes(active);
  for (uint word = 0; word < 4; ++word) {
    records[at++] = active[word];
  }
  for (uint question = 0; question < QUESTIONS; ++question) {
    records[at++] = crosslane::IsLaneIn(active, asked[question]) ? 1 : 0;
  }
}
