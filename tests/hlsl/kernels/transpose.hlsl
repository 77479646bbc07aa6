// One FUNCTION of wave/transpose.hlsli on SIZE values of one TYPE, by some clusters of SIZE lanes or by all.
#include "crosslane/wave/transpose.hlsli"

#include "codec.hlsli"
#include "structs.hlsli"

#define THREADS 256  // full waves, at every wave size

struct Constants {
  uint components;  // of one value
  uint idle;        // of this many clusters in a row the last one does not take part; 0: all do
};
PUSH_CONSTANT ConstantBuffer<Constants> constants;
BINDING(2) RWStructuredBuffer<uint> placements;  // [thread]: lane index, first thread of the wave, lane count

[numthreads(THREADS, 1, 1)]
void main(uint thread : SV_GroupIndex) {
  placements[thread * 3 + 0] = WaveGetLaneIndex();
  placements[thread * 3 + 1] = WaveReadLaneFirst(thread);
  placements[thread * 3 + 2] = WaveGetLaneCount();
  const uint cluster = WaveGetLaneIndex() / min(SIZE, WaveGetLaneCount());
  if (constants.idle != 0 && cluster % constants.idle == constants.idle - 1) {
    return;
  }
  TYPE v[SIZE];
  uint at = thread * SIZE * constants.components;
  [unroll] for (uint j = 0; j < SIZE; ++j) {
    v[j] = Codec<TYPE >::load(at);
  }
  FUNCTION(v);
  at = thread * SIZE * constants.components;
  [unroll] for (uint k = 0; k < SIZE; ++k) {
    Codec<TYPE >::store(at, v[k]);
  }
}
