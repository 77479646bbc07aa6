// The helpers of wave/ballot.hlsli on sets that the host chooses: one thread for each set and lane number.
#include "crosslane/wave/ballot.hlsli"

#if defined(__spirv__)
[[vk::binding(0)]]
#endif
StructuredBuffer<uint> cases;  // [case][5]: a set of lanes, a lane
#if defined(__spirv__)
[[vk::binding(1)]]
#endif
RWStructuredBuffer<uint> answers;  // [case][8]

[numthreads(64, 1, 1)]
void main(uint3 thread : SV_DispatchThreadID) {
  const uint at = thread.x * 5;
  const uint4 lanes = uint4(cases[at], cases[at + 1], cases[at + 2], cases[at + 3]);
  const uint lane = cases[at + 4];
  const uint4 before = crosslane::LanesBefore(lane);
  uint to = thread.x * 8;
  for (uint word = 0; word < 4; ++word) {
    answers[to++] = before[word];
  }
  answers[to++] = crosslane::RankIn(lanes, lane);
  answers[to++] = asuint(crosslane::FirstLaneIn(lanes));
  answers[to++] = asuint(crosslane::LastLaneIn(lanes));
  answers[to++] = asuint(crosslane::NthLaneIn(lanes, lane));
}
