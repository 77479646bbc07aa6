// Reduces an array in one dispatch: every group adds up its share, the last group to finish adds up the groups' results.
//
// No thread waits for another group, so no progress between groups is needed; the order of combination does not depend on
// which group is last, so a float sum is the same each time on one device.
#include "reduce_params.hlsli"

#define THREADS CROSSLANE_REDUCE_THREADS
#include "method.hlsli"

// 16-byte loads in flight per thread: latency times bandwidth asks for tens of kilobytes in flight per multiprocessor.
#define LOADS CROSSLANE_REDUCE_LOADS
#define LANES_OF_VECTOR (16 / STORAGE_BYTES)
typedef vector<STORAGE, LANES_OF_VECTOR> StorageVector;

[[vk::push_constant]] ConstantBuffer<ReduceParams> params : register(b0);
// The same memory twice: as vectors, and as elements for what is before and after the aligned part.
[[vk::binding(0)]] StructuredBuffer<StorageVector> vectors : register(t0);
[[vk::binding(1)]] StructuredBuffer<STORAGE> elements : register(t1);
[[vk::binding(2)]] RWStructuredBuffer<STORAGE> output : register(u0);
// One result per group, and behind them the carry between dispatches.
[[vk::binding(3)]] globallycoherent RWStructuredBuffer<VALUE> partials : register(u1);

// How many elements the whole array has, 64 bits, where the host does not know.
[[vk::binding(5)]] StructuredBuffer<uint2> counts : register(t2);

// The elements of this dispatch: before the vectors, in vectors, and behind them.
struct Extent {
  uint head_count;
  uint vector_count;
  uint tail_first;
  uint tail_count;
};

Extent FindExtent() {
  Extent extent = {params.head_count, params.vector_count, params.tail_first, params.tail_count};
  if (params.count.indirect != 0) {
    const uint recorded = params.head_count + params.vector_count * LANES_OF_VECTOR + params.tail_count;
    const uint count = CountHere(params.count, counts[params.count.element], recorded);
    extent.head_count = min(params.head_count, count);
    const uint behind_head = count - extent.head_count;
    extent.vector_count = min(params.vector_count, behind_head / LANES_OF_VECTOR);
    extent.tail_first = (params.vector_first + extent.vector_count) * LANES_OF_VECTOR;
    extent.tail_count = behind_head - extent.vector_count * LANES_OF_VECTOR;
  }
  return extent;
}

VALUE CombineVector(StorageVector v) {
  VALUE total = Op::combine(Encode(v[0]), Encode(v[1]));
#if STORAGE_BYTES == 4
  total = Op::combine(total, Op::combine(Encode(v[2]), Encode(v[3])));
#endif
  return total;
}

// This thread's share of the aligned part: tiles of THREADS * LOADS vectors, dealt to the groups in turn.
VALUE ReduceVectors(uint vector_count, uint group, uint thread) {
  VALUE total = Op::identity();
  const uint tile = THREADS * LOADS;
  const uint whole_tiles = vector_count / tile;
  uint t = group;
  for (; t < whole_tiles; t += params.groups) {
    const uint first = params.vector_first + t * tile + thread;
    StorageVector loaded[LOADS];
    [unroll] for (uint k = 0; k < LOADS; ++k) {
      loaded[k] = vectors[first + k * THREADS];
    }
    // A tree over the loads, as one loop with a constant number of turns: compilers for SPIR-V unroll no other kind.
    VALUE sums[2 * LOADS - 1];
    [unroll] for (uint k = 0; k < LOADS; ++k) {
      sums[k] = CombineVector(loaded[k]);
    }
    [unroll] for (uint k = 0; k < LOADS - 1; ++k) {
      sums[LOADS + k] = Op::combine(sums[2 * k], sums[2 * k + 1]);
    }
    total = Op::combine(total, sums[2 * LOADS - 2]);
  }
  if (t == whole_tiles) {  // the one tile that is not whole is the next one of this group
    for (uint i = whole_tiles * tile + thread; i < vector_count; i += THREADS) {
      total = Op::combine(total, CombineVector(vectors[params.vector_first + i]));
    }
  }
  return total;
}

VALUE ReduceShare(uint group, uint thread) {
  const Extent extent = FindExtent();
  VALUE total = ReduceVectors(extent.vector_count, group, thread);
  if (group == 0) {
    if (thread < extent.head_count) {
      total = Op::combine(total, Encode(elements[params.head_first + thread]));
    }
    if (thread < extent.tail_count) {
      total = Op::combine(total, Encode(elements[extent.tail_first + thread]));
    }
  }
  return total;
}

// What the whole dispatch found, in one thread of its last group.
void WriteResult(VALUE total) {
  if (params.carry_in != 0) {
    total = Op::combine(partials[CROSSLANE_REDUCE_MAX_GROUPS], total);
  }
  if (params.carry_out != 0) {
    partials[CROSSLANE_REDUCE_MAX_GROUPS] = total;
  } else {
    output[params.output_element] = Decode(total);
  }
}

#if defined(FINISH_PACKED)
#include "finish_packed.hlsli"
#else
#include "finish_partials.hlsli"
#endif

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group_id : SV_GroupID, uint group_index : SV_GroupIndex) {
  const uint group = group_id.x;
  const uint thread = crosslane::FindWavePlace(group_index, THREADS).element;
  Finish(ReduceGroup(ReduceShare(group, thread), thread), group, thread);
}
