// Every shuffle of one TYPE, for distances that the host chooses per lane and for some known at compile time.
// The host (shuffle_test.cpp) knows which lane's value each result must be.
#include "crosslane/shuffle.hlsli"

#include "codec.hlsli"
#include "structs.hlsli"

struct Constants {
  uint threads;     // of the group
  uint iterations;  // how many distances per thread
  uint components;  // of one value
};
PUSH_CONSTANT ConstantBuffer<Constants> constants;
BINDING(2) StructuredBuffer<int> distances;      // [iteration][thread]
BINDING(3) StructuredBuffer<uint> callers;       // [thread]: 1 where the thread calls the shuffles
BINDING(4) RWStructuredBuffer<uint> placements;  // [thread]: lane index, first thread of the wave, lane count

static uint call;  // number of the call whose result is stored next

// Results lie as [call][thread][component].
template <typename T>
void keep(uint thread, T value) {
  uint at = (call * constants.threads + thread) * constants.components;
  Codec<T>::store(at, value);
  ++call;
}

template <typename T, int Distance>
void shuffle_by_constant(uint thread, T value) {
  keep(thread, WaveShuffleUp<Distance>(value));
  keep(thread, WaveShuffleDown<Distance>(value));
}

[numthreads(157, 1, 1)]  // full waves and a partly filled last one, at every wave size from 2 to 128
void main(uint thread : SV_GroupIndex) {
  placements[thread * 3 + 0] = WaveGetLaneIndex();
  placements[thread * 3 + 1] = WaveReadLaneFirst(thread);
  placements[thread * 3 + 2] = WaveGetLaneCount();
  if (callers[thread] == 0) {
    return;
  }
  uint at = thread * constants.components;
  const TYPE value = Codec<TYPE >::load(at);
  call = 0;
  keep(thread, value);
  for (uint iteration = 0; iteration < constants.iterations; ++iteration) {
    const int distance = distances[iteration * constants.threads + thread];
    keep(thread, WaveShuffleUp(value, distance));
    keep(thread, WaveShuffleDown(value, distance));
    keep(thread, WaveShuffleXor(value, distance));
    keep(thread, WaveShuffle(value, distance));
    keep(thread, SafeReadLane(value, distance));
    keep(thread, WaveRotate(value, distance));
    keep(thread, WaveBroadcast(value, distance));
  }
  // The order of constant_distances in shuffle_test.cpp. Types of many components have fewer, to keep compilers quick.
  shuffle_by_constant<TYPE, 1>(thread, value);
  shuffle_by_constant<TYPE, -4>(thread, value);
  shuffle_by_constant<TYPE, -2147483647 - 1>(thread, value);
#if !defined(FEW_CONSTANTS)
  shuffle_by_constant<TYPE, 0>(thread, value);
  shuffle_by_constant<TYPE, -1>(thread, value);
  shuffle_by_constant<TYPE, 3>(thread, value);
  shuffle_by_constant<TYPE, 8>(thread, value);
  shuffle_by_constant<TYPE, -127>(thread, value);
  shuffle_by_constant<TYPE, 2147483647>(thread, value);
#endif
}
