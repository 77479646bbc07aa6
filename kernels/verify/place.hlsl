// The wave's place in a group of THREADS_X by THREADS_Y threads: claimed, and as Vulkan's built-in values have it.
#define THREADS (THREADS_X * THREADS_Y)
#include "crosslane/lane.hlsli"
#include "record.hlsli"

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS_X, THREADS_Y, 1)]
void main(uint3 group : SV_GroupID, uint thread_in_group : SV_GroupIndex) {
  record_place(group.x, thread_in_group);
  const crosslane::WavePlace claimed = crosslane::ClaimWavePlace(thread_in_group);
  record(claimed.index);
  record(claimed.count);
  record(claimed.element);
#if defined(__spirv__)  // Direct3D 12 has no such values
  record(crosslane::spirv::subgroup_id);
  record(crosslane::spirv::num_subgroups);
#endif
}
