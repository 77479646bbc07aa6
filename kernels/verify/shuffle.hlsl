// Every shuffle of TYPE over the host's distances, and up and down by constants, which are instructions of their own.
#define ASKS_LANE_COUNT
#include "crosslane/shuffle.hlsli"
#include "record.hlsli"

template <int Distance>
void record_constant(TYPE value) {
  record(WaveShuffleUp<Distance>(value));
  record(WaveShuffleDown<Distance>(value));
}

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread_in_group : SV_GroupIndex) {
  record_place(group.x, thread_in_group);
  if (callers[this_thread] == 0) {
    return;
  }
  record_active();
  const TYPE value = Words<TYPE>::value(values[this_thread]);
  // The distances of constant_distances in src/verify/shuffle_checks.cpp.
  record_constant<1>(value);
  record_constant<2>(value);
  record_constant<5>(value);
  record_constant<8>(value);
  record_constant<31>(value);
  record_constant<64>(value);
  for (uint i = 0; i < constants.distances; ++i) {
    const int distance = distances[i * constants.threads + this_thread];
    record(WaveShuffleUp(value, distance));
    record(WaveShuffleDown(value, distance));
    record(WaveShuffleXor(value, distance));
    record(WaveShuffle(value, distance));
    record(WaveRotate(value, distance));
    record(WaveBroadcast(value, WaveReadLaneFirst(distance)));
  }
}
