// What the host tells a reduction's dispatch: one declaration for the kernels and for src/algorithms.
#ifndef CROSSLANE_REDUCE_PARAMS_HLSLI
#define CROSSLANE_REDUCE_PARAMS_HLSLI

// Threads per group and 16-byte loads in flight per thread: two such groups fill a multiprocessor of 2048 threads.
#define CROSSLANE_REDUCE_THREADS 1024
#define CROSSLANE_REDUCE_LOADS 4
// Groups that the state has room for.
#define CROSSLANE_REDUCE_MAX_GROUPS 1024
// Elements per thread of one block of the reproducible tree: part of its shape, never to be tuned.
#define CROSSLANE_REPRODUCIBLE_PER_THREAD 16
#define CROSSLANE_REPRODUCIBLE_THREADS 256

#include "../array_count.hlsli"

#ifdef __cplusplus
namespace crosslane::kernel_interface {
#endif

// reduce.hlsl. The elements are [head | whole 16-byte vectors | tail], so that any alignment is read with wide loads.
struct ReduceParams {
  ArrayCount count;
  uint head_first;      // element number of the first element before the vectors
  uint head_count;
  uint vector_first;    // vector number of the first vector
  uint vector_count;
  uint tail_first;      // element number of the first element after the vectors
  uint tail_count;
  uint groups;          // thread groups of this dispatch
  uint carry_in;        // 1: combine with what the dispatch before left in the state
  uint carry_out;       // 1: leave the result in the state; 0: write it to the output
  uint output_element;  // where in the output
};

// reduce_reproducible.hlsl. Block b covers elements b * block … of this level and leaves one result for the next.
struct ReproducibleParams {
  ArrayCount elements;  // of level 0; the levels above have a result for every block
  uint first;           // element number of the first element
  uint count;           // elements of this dispatch
  uint blocks;          // ceil(count / block)
  uint groups;
  uint finish;          // 1: the one result is a sum to be handed out, in canonical form
  uint output_element;  // where the first block's result goes
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_REDUCE_PARAMS_HLSLI
