// What the kernels of Fourier transforms are told, and the arrays that they see.
//
// A variant defines REAL, float or double, REAL_IS_DOUBLE where it is that, and THREADS, per group. PARAMS, if a kernel has others
// than FftParams.
#ifndef CROSSLANE_KERNELS_FFT_ARRAYS_HLSLI
#define CROSSLANE_KERNELS_FFT_ARRAYS_HLSLI

#include "crosslane/complex.hlsli"
#include "fft_params.hlsli"

#if !defined(PARAMS)
#define PARAMS FftParams
#endif

typedef vector<REAL, 2> Complex;

[[vk::push_constant]] ConstantBuffer<PARAMS> params : register(b0);
[[vk::binding(0)]] StructuredBuffer<Complex> input : register(t0);
[[vk::binding(1)]] RWStructuredBuffer<Complex> output : register(u0);
[[vk::binding(2)]] StructuredBuffer<Complex> table : register(t1);

// The factor of results.
REAL Scale() {
#if defined(REAL_IS_DOUBLE)
  return asdouble(params.scale_low, params.scale_high);
#else
  return asfloat(params.scale_low);
#endif
}

// Where a transform's point 0 lies.
uint FirstOf(FftArray array, uint transform) {
  uint first = array.first;
  if (params.batch != 0) {
    first += transform / params.batch * array.row_stride;
    transform %= params.batch;
  }
  return first + transform * array.batch_stride;
}

#endif  // CROSSLANE_KERNELS_FFT_ARRAYS_HLSLI
