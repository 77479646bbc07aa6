// Ballots, votes, counts and the first lane. The predicates are the bits of the host's values.
#include "record.hlsli"

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread_in_group : SV_GroupIndex) {
  record_place(group.x, thread_in_group);
  if (callers[this_thread] == 0) {
    return;
  }
  record_active();
  const uint value = values[this_thread].x;
  record(WaveIsFirstLane());
  record(WaveReadLaneFirst(value));
  for (uint bit = 0; bit < 8; ++bit) {
    const bool predicate = ((value >> bit) & 1u) != 0u;
    record_lanes(WaveActiveBallot(predicate));
    record(WaveActiveAnyTrue(predicate));
    record(WaveActiveAllTrue(predicate));
    record(WaveActiveCountBits(predicate));
    record(WavePrefixCountBits(predicate));
  }
}
