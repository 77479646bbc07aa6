// Which lanes are together inside and after divergent control flow. Nothing here ends under a branch that the host does
// not know: values[thread].x says which way each thread goes.
#include "record.hlsli"

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread_in_group : SV_GroupIndex) {
  record_place(group.x, thread_in_group);
  if (callers[this_thread] == 0) {
    return;
  }
  record_active();
  const uint way = values[this_thread].x;

  // Two arms, and after them.
  if ((way & 1u) != 0u) {
    record_lanes(WaveActiveBallot(true));
  } else {
    record_lanes(WaveActiveBallot(true));
  }
  record_lanes(WaveActiveBallot(true));

  // A loop with different trip counts, 0 to 7, and after it.
  const uint trips = (way >> 1) & 7u;
  const uint loop_slot = next_slot;
  for (uint trip = 0; trip < trips; ++trip) {
    next_slot = loop_slot + trip * 3;
    record_lanes(WaveActiveBallot(true));
    record(WaveActiveSum(trip + 1u));
  }
  next_slot = loop_slot + 7 * 3;
  record_lanes(WaveActiveBallot(true));

  // A branch inside a branch, each with lanes of its own.
  uint lanes_of_arm = 0;
  if ((way & 16u) != 0u) {
    if ((way & 32u) != 0u) {
      lanes_of_arm = WaveActiveCountBits(true);
    } else {
      lanes_of_arm = WaveActiveCountBits(true) + 1000u;
    }
    lanes_of_arm += WaveActiveCountBits(true) * 10000u;
  }
  record(lanes_of_arm);
  record_lanes(WaveActiveBallot(true));
}
