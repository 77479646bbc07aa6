// Whether float addition keeps denormals: a sum that is denormal, of TYPE.
#include "record.hlsli"

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread_in_group : SV_GroupIndex) {
  record_place(group.x, thread_in_group);
  const TYPE value = Words<TYPE>::value(values[this_thread]);
  precise TYPE sum = value + value;
  record(sum);
}
