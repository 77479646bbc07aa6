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

// Of fft_mixed.hlsl, fft_lanes.hlsl and fft_copy.hlsl.
#define CROSSLANE_FFT_POINTS 0        // of a line
#define CROSSLANE_FFT_LINE_THREADS 1  // threads that a line takes
#define CROSSLANE_FFT_BESIDE 2        // lines that neighbouring threads hold the same points of
#define CROSSLANE_FFT_ROWS 3          // as many lines each in a group
#define CROSSLANE_FFT_RADICES 4       // of the stages, 4 bits each; the lowest are the first stage's

// Of all but fft_split.hlsl: what the caller's arrays are made of (numbers.hlsli).
#define CROSSLANE_FFT_FROM 5
#define CROSSLANE_FFT_TO 6
#define CROSSLANE_FFT_COMPLEX 0
#define CROSSLANE_FFT_REALS 1
#define CROSSLANE_FFT_HALF_SPECTRUM 2  // complex numbers, of the points up to half of the size
#define CROSSLANE_FFT_HALVES 3         // complex numbers of two 16-bit floats

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

// A pass over lines of any number of points R, D points done by the passes before, and N / R = `units` lines per transform: with these in
// place of their logarithms everything is as above.
struct FftLineParams {
  FftArray from;
  FftArray to;
  uint first_line;
  uint end_line;
  uint batch;
  uint points;        // N
  uint units;
  uint done;          // D
  uint swap_from;
  uint swap_to;
  uint scale_low;
  uint scale_high;
  uint roots;         // where the table has exp(-2 pi i x / R) for x < R
  uint near_factors;  // as above
  uint far_factors;
  uint factor_bits;
  uint factor_step;   // N / (D R)
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_FFT_PARAMS_HLSLI
