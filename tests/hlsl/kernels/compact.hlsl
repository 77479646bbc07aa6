// Compaction of values of one TYPE in waves that are full or not, by the threads that the host chooses.
#include "crosslane/wave/compact.hlsli"

#include "codec.hlsli"
#include "structs.hlsli"

#define THREADS 157  // full waves and a partly filled last one, at every wave size from 2 to 128

struct Constants {
  uint components;  // of one value
  uint iterations;  // how many sets of lanes that keep
};
PUSH_CONSTANT ConstantBuffer<Constants> constants;
BINDING(2) StructuredBuffer<uint> keeps;         // [iteration][thread]: 0, or 1 where the thread's value is kept
BINDING(3) StructuredBuffer<uint> callers;       // [thread]: 1 where the thread calls
BINDING(4) RWStructuredBuffer<uint> placements;  // [thread]: lane index, first thread of the wave, lane count
BINDING(5) RWStructuredBuffer<uint> kept_lanes;  // [iteration][thread]: four words of lanes, count, rank

[numthreads(THREADS, 1, 1)]
void main(uint thread : SV_GroupIndex) {
  placements[thread * 3 + 0] = WaveGetLaneIndex();
  placements[thread * 3 + 1] = WaveReadLaneFirst(thread);
  placements[thread * 3 + 2] = WaveGetLaneCount();
  if (callers[thread] == 0) {
    return;
  }
  uint at = thread * constants.components;
  const TYPE value = Codec<TYPE >::load(at);
  at = (THREADS + thread) * constants.components;
  const TYPE filler = Codec<TYPE >::load(at);
  for (uint iteration = 0; iteration < constants.iterations; ++iteration) {
    const uint row = iteration * THREADS + thread;
    const bool keep = keeps[row] != 0;
    const crosslane::KeptLanes kept = crosslane::FindKeptLanes(keep);
    for (uint word = 0; word < 4; ++word) {
      kept_lanes[row * 6 + word] = kept.lanes[word];
    }
    kept_lanes[row * 6 + 4] = kept.count;
    kept_lanes[row * 6 + 5] = kept.rank;
    at = row * constants.components;
    // The two forms, in turn.
    if (iteration % 2 == 0) {
      Codec<TYPE >::store(at, WaveCompact(value, keep, filler));
    } else {
      Codec<TYPE >::store(at, WaveCompact(value, kept, filler));
    }
  }
}
