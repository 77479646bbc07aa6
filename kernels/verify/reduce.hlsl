// HLSL's reductions and prefix operations of TYPE. BITS is defined where TYPE has the bit operations.
#include "record.hlsli"

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread_in_group : SV_GroupIndex) {
  record_place(group.x, thread_in_group);
  if (callers[this_thread] == 0) {
    return;
  }
  record_active();
  const TYPE value = Words<TYPE>::value(values[this_thread]);
  record(WaveActiveSum(value));
  record(WaveActiveMin(value));
  record(WaveActiveMax(value));
  record(WaveActiveProduct(value));
  record(WavePrefixSum(value));
  record(WavePrefixProduct(value));
#if defined(BITS)
  record(WaveActiveBitAnd(value));
  record(WaveActiveBitOr(value));
  record(WaveActiveBitXor(value));
#endif
}
