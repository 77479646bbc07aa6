// Wave operations beside `break` and `continue`: the lanes that leave are gone from the rest of the iteration, and back
// after the loop. Promised by maximal reconvergence only.
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
  const uint leave = (way >> 1) & 7u;
  const uint loop_slot = next_slot;
  for (uint trip = 0; trip < 8; ++trip) {
    next_slot = loop_slot + trip * 4;
    if (trip == leave) {
      record_lanes(WaveActiveBallot(true));  // those that leave together
      break;
    }
    if (((way >> 8) & (1u << trip)) != 0u) {
      continue;
    }
    next_slot = loop_slot + trip * 4 + 2;
    record_lanes(WaveActiveBallot(true));  // those that neither left nor went on
  }
  next_slot = loop_slot + 8 * 4;
  record_lanes(WaveActiveBallot(true));
}
