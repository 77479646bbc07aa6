// One level of a sum whose tree has one shape whatever the wave size, the method and the device.
//
// A block of THREADS * PER_THREAD elements, counted from the start of the array, becomes one result; the results are the
// elements of the next level. Thread t of a block takes the elements t, t + THREADS, …, adds them in a balanced tree, and the
// threads' sums are added in a balanced tree over t, neighbours first. Missing elements are -0, which changes no sum.
#include "reduce_params.hlsli"

#define THREADS CROSSLANE_REPRODUCIBLE_THREADS
#define PER_THREAD CROSSLANE_REPRODUCIBLE_PER_THREAD
#include "method.hlsli"

#ifdef KEEP_DENORMALS
#define FLOAT_BITS (8 * STORAGE_BYTES)
#define EXECUTION_MODE_DENORM_PRESERVE 4459
#define CAPABILITY_DENORM_PRESERVE 4464
#endif

[[vk::push_constant]] ConstantBuffer<ReproducibleParams> params : register(b0);
[[vk::binding(0)]] StructuredBuffer<STORAGE> elements : register(t0);
[[vk::binding(1)]] RWStructuredBuffer<STORAGE> results : register(u0);
// How many elements the whole array has, 64 bits, where the host does not know.
[[vk::binding(2)]] StructuredBuffer<uint2> counts : register(t1);

uint ElementCount() {
  return params.elements.indirect == 0 ? params.count
                                       : CountHere(params.elements, counts[params.elements.element], params.count);
}

VALUE ReduceBlock(uint block, uint count, uint thread) {
  precise VALUE sums[PER_THREAD];
  [unroll] for (uint k = 0; k < PER_THREAD; ++k) {
    const uint i = (block * PER_THREAD + k) * THREADS + thread;
    sums[k] = Op::identity();
    if (i < count) {
      sums[k] = Encode(elements[params.first + i]);
    }
  }
  [unroll] for (uint half = PER_THREAD / 2; half > 0; half /= 2) {
    [unroll] for (uint k = 0; k < half; ++k) {
      sums[k] = Op::combine(sums[k], sums[k + half]);
    }
  }
  return ReduceGroup(sums[0], thread);
}

#ifdef KEEP_DENORMALS
[[vk::ext_capability(CAPABILITY_DENORM_PRESERVE)]] [[vk::ext_extension("SPV_KHR_float_controls")]]
#endif
CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group_id : SV_GroupID, uint group_index : SV_GroupIndex) {
#ifdef KEEP_DENORMALS
  vk::ext_execution_mode(EXECUTION_MODE_DENORM_PRESERVE, FLOAT_BITS);
#endif
  const uint thread = crosslane::FindWavePlace(group_index, THREADS).element;
  const uint count = ElementCount();
  for (uint block = group_id.x; block < params.blocks; block += params.groups) {
    const VALUE sum = ReduceBlock(block, count, thread);
    if (thread == 0) {
      results[params.output_element + block] = params.finish != 0 ? Decode(sum) : sum;
    }
  }
}
