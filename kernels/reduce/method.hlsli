// The three methods behind one name, and the operators and codecs that a variant is made of.
//
// A kernel defines THREADS, its group's size. A variant defines: STORAGE, the element type as it lies in memory, and STORAGE_BYTES; VALUE, the type that is combined; OP, the
// operator; METHOD_GROUPSHARED, METHOD_SHUFFLE or METHOD_WAVE_INTRINSICS; and one CODEC_* that turns STORAGE into VALUE
// and back.
#ifndef CROSSLANE_KERNELS_REDUCE_METHOD_HLSLI
#define CROSSLANE_KERNELS_REDUCE_METHOD_HLSLI

#include "crosslane/group/reduce.hlsli"
#include "crosslane/lane.hlsli"
#include "../codec.hlsli"

typedef OP Op;

#if defined(METHOD_GROUPSHARED)
CROSSLANE_GROUP_SCRATCH(Scratch, VALUE, THREADS)
#else
CROSSLANE_GROUP_SCRATCH(Scratch, VALUE, THREADS / CROSSLANE_SMALLEST_WAVE)
#endif

// Gives thread 0 the combination of all threads' values.
VALUE ReduceGroup(VALUE v, uint thread) {
#if defined(METHOD_GROUPSHARED)
  return crosslane::GroupReduceByGroupshared<Op, Scratch, THREADS, VALUE>(v, thread);
#elif defined(METHOD_SHUFFLE)
  return crosslane::GroupReduceByWaves<crosslane::ReduceByShuffle<Op, VALUE>, Op, Scratch, THREADS, VALUE>(v, thread);
#elif defined(METHOD_WAVE_INTRINSICS)
  return crosslane::GroupReduceByWaves<crosslane::ReduceByIntrinsic<Op, VALUE>, Op, Scratch, THREADS, VALUE>(v, thread);
#endif
}

#endif  // CROSSLANE_KERNELS_REDUCE_METHOD_HLSLI
