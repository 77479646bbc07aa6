// Scans and reductions of one TYPE by one OP in clusters of SIZE lanes, by some clusters or by all; without SIZE in the
// wave, by all.
#include "crosslane/float_order.hlsli"
#include "crosslane/wave/cluster.hlsli"
#include "crosslane/wave/reduce.hlsli"
#include "crosslane/wave/scan.hlsli"

#include "codec.hlsli"
#include "user_operators.hlsli"

#define THREADS 256  // full waves, at every wave size

#if defined(SIZE)
typedef crosslane::ScanClusterByShuffle<OP, TYPE, SIZE> Scanner;
typedef crosslane::ReduceClusterByShuffle<OP, TYPE, SIZE> Reducer;
#else
typedef crosslane::ScanByShuffle<OP, TYPE> Scanner;
typedef crosslane::ReduceByShuffle<OP, TYPE> Reducer;
#endif

struct Constants {
  uint components;  // of one value
  uint idle;        // of this many clusters in a row the last one does not take part; 0: all do
};
PUSH_CONSTANT ConstantBuffer<Constants> constants;
BINDING(2) StructuredBuffer<uint> conditions;    // [thread], for last_where
BINDING(3) RWStructuredBuffer<uint> placements;  // [thread]: lane index, first thread of the wave, lane count
BINDING(4) RWStructuredBuffer<int> numbers;      // [thread]: lanes(), lane(), last_where()

// Results lie as [which][thread][component].
void keep(uint which, uint thread, TYPE value) {
  uint at = (which * THREADS + thread) * constants.components;
  Codec<TYPE >::store(at, value);
}

[numthreads(THREADS, 1, 1)]
void main(uint thread : SV_GroupIndex) {
  placements[thread * 3 + 0] = WaveGetLaneIndex();
  placements[thread * 3 + 1] = WaveReadLaneFirst(thread);
  placements[thread * 3 + 2] = WaveGetLaneCount();
  uint at = thread * constants.components;
  const TYPE value = Codec<TYPE >::load(at);
  if (constants.idle != 0 && WaveGetLaneIndex() / Scanner::lanes() % constants.idle == constants.idle - 1) {
    return;
  }
  TYPE before;
  TYPE total;
  Scanner::scan(value, before, total);
  keep(0, thread, Scanner::inclusive(value));
  keep(1, thread, before);
  keep(2, thread, total);
  keep(3, thread, Reducer::reduce(value));
  numbers[thread * 3 + 0] = int(Scanner::lanes());
  numbers[thread * 3 + 1] = int(Scanner::lane());
  numbers[thread * 3 + 2] = Scanner::last_where(conditions[thread] != 0);
}
