// What the host tells a Fourier transform's dispatch: one declaration for the kernels and for src/algorithms.
#ifndef CROSSLANE_FFT_PARAMS_HLSLI
#define CROSSLANE_FFT_PARAMS_HLSLI

// Threads per group of fft_split.hlsl, and the most of fft.hlsl, whose variants differ in it.
#define CROSSLANE_FFT_THREADS 256

// The ids of the kernels' specialization constants.
#define CROSSLANE_FFT_SIZE_BITS 0    // log2 of a line's points
#define CROSSLANE_FFT_BESIDE_BITS 1  // log2 of the lines that neighbouring threads hold the same points of
#define CROSSLANE_FFT_WINDOWED 2     // 1: not all points are there, or they have factors of their own
#define CROSSLANE_FFT_PAIRED 3       // 1: points are read and written two at a time (pairs.hlsli)
#define CROSSLANE_FFT_MERGES 0       // of fft_split.hlsl

// In place of a table's beginning: there is none.
#define CROSSLANE_FFT_NO_FACTORS 0xFFFFFFFFu

#ifdef __cplusplus
#include <cstdint>
namespace crosslane::kernel_interface {
using uint = std::uint32_t;
#endif

// How complex numbers lie in a binding, in elements.
struct FftArray {
  uint first;         // of transform 0
  uint stride;        // from point to point
  uint batch_stride;  // from transform to transform in a row of `batch`
  uint row_stride;    // from row to row
};

// fft_split.hlsl takes `first_line`, `end_line`, both in pairs of results, `from_points`, the scale and `stages`.
// A pass of fft.hlsl transforms lines of R points with equal distances, and a transform of N points has N / R = 2^unit_bits lines. With D = 2^done_bits
// points transformed by the passes before, line h * D + l reads the points l + h * D + p * N / R and
// writes the points h * D * R + p * D + l. So one pass over R = N points has one line per transform.
struct FftParams {
  FftArray from;
  FftArray to;
  uint first_line;    // of this dispatch
  uint end_line;
  uint batch;         // 0: all are in one row
  uint unit_bits;
  uint done_bits;
  uint swap_from;     // 1: real and imaginary parts are exchanged as they are read
  uint swap_to;       // as they are written
  uint scale_low;     // the factor of results: a float, or the low and the high word of a double
  uint scale_high;
  uint stages;        // where the table has the factors between this pass's stages
  uint near_factors;  // where it has exp(-2 pi i x / N) for x < 2^factor_bits
  uint far_factors;   // where for x << factor_bits
  uint factor_bits;
  uint factor_shift;  // log2 of N / (D R)
  uint from_points;   // if windowed: points that are read, those behind them are 0
  uint from_factors;  // where the table has the factors that they are multiplied by, or CROSSLANE_FFT_NO_FACTORS
  uint to_points;     // points that are written
  uint to_factors;    // after real and imaginary parts have been exchanged
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_FFT_PARAMS_HLSLI
