// The shape of a Fourier transform: the passes over its data, and which kernel makes each. Pure arithmetic, no device.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "crosslane/fft.hpp"
#include "kernels/fft/fft_params.hlsli"

namespace crosslane {

/// log2 of the size of the largest transforms, and of the largest that go over their data once.
inline constexpr std::uint32_t largest_fft_bits = 24;
constexpr std::uint32_t one_pass_fft_bits(ScalarType type) { return type == ScalarType::f64 ? 11 : 12; }

/// The kernels of kernels/fft.
enum class FftKernel : std::uint8_t {
  powers,  ///< fft.hlsl: lines of a power of two of points
  mixed,   ///< fft_mixed.hlsl: lines of other numbers without factors above 7
  lanes,   ///< fft_lanes.hlsl: the same in one wave
  split,   ///< fft_split.hlsl: between spectra of real numbers and of their pairs
  copy,    ///< fft_copy.hlsl: between complex numbers and what the caller has
};

/// What an array that a pass reads or writes is made of.
enum class FftNumbers : std::uint8_t {
  complex = CROSSLANE_FFT_COMPLEX,
  reals = CROSSLANE_FFT_REALS,
  half_spectrum = CROSSLANE_FFT_HALF_SPECTRUM,
  halves = CROSSLANE_FFT_HALVES,
};

/// One pass over the data.
struct FftPass {
  // Of `powers`, for lines of 2^size_bits points:
  std::uint32_t size_bits = 0;
  std::uint32_t points = 2;       ///< per thread
  std::uint32_t threads = 256;    ///< per group
  std::uint32_t beside_bits = 0;  ///< log2 of the lines that neighbouring threads hold the same points of
  bool paired = false;            ///< points are read and written two at a time

  FftKernel kernel = FftKernel::powers;

  // Of `mixed` and `lanes`:
  std::uint32_t line_points = 1;
  std::uint32_t line_threads = 1;  ///< threads that a line takes
  std::uint32_t beside = 1;        ///< lines that neighbouring threads hold the same points of
  std::uint32_t rows = 1;          ///< as many lines each in a group
  std::uint32_t radices = 0;       ///< of the stages, four bits each, the lowest first

  // Of all but `split`:
  FftNumbers from = FftNumbers::complex;
  FftNumbers to = FftNumbers::complex;

  /// Whether it transforms lines.
  [[nodiscard]] bool transforms() const { return kernel != FftKernel::split && kernel != FftKernel::copy; }
  /// The points of a line that it transforms.
  [[nodiscard]] std::uint32_t length() const { return kernel == FftKernel::powers ? 1U << size_bits : line_points; }

  // NOLINTNEXTLINE(modernize-use-nullptr,readability-implicit-bool-conversion): of what = default makes
  friend auto operator<=>(const FftPass&, const FftPass&) = default;
};

/// Lines that a thread group transforms; of passes that do not, points.
std::uint32_t lines_per_group(const FftPass& pass);

/// What a transform is made of. Sizes with prime factors above 7 are a convolution with a chirp, by two transforms of
/// at least twice the size (L. Bluestein 1970): x[n] times c[n] becomes a spectrum, which is multiplied by that of
/// conj(c) and transformed back, and then multiplied by c[k]; c[k] = exp(−πi k² / size).
struct FftShape {
  std::uint64_t size = 1;       ///< complex points of each array: of pairs of real numbers half as many
  std::uint64_t points = 1;     ///< of the transform, or of each of the two
  std::vector<FftPass> passes;  ///< of both
  bool convolves = false;

  /// The first and the last pass that transform.
  [[nodiscard]] std::size_t first_transforming() const { return passes.front().transforms() ? 0 : 1; }
  [[nodiscard]] std::size_t last_transforming() const { return passes.size() - (passes.back().transforms() ? 1 : 2); }
};

/// Whether a number, at least one, has no prime factors above 7.
bool has_small_factors(std::uint64_t number);

/// Whether real numbers are taken for complex ones in pairs.
constexpr bool has_real_pairs(const FftOptions& options) {
  return options.real && !options.apart && options.size % 2 == 0;
}

/// `size` points, at least one, by `method` in waves of `wave_size` lanes.
FftShape plan_fft_shape(ScalarType type, std::uint64_t size, Method method, std::uint32_t wave_size);

/// What options ask for, their method aside. Even numbers of real numbers are transformed in pairs, whose spectrum is
/// split at the end, or merged at the beginning of the inverse.
FftShape plan_fft_shape(const FftOptions& options, Method method, std::uint32_t wave_size);

/// Whether the kernel of a pass can read and write two points at a time.
bool has_pairs(ScalarType type, const FftPass& pass, Method method);

/// Whether it can read and write other numbers than complex ones of its own type.
bool has_numbers(const FftPass& pass);

/// The kernel of a pass: "fft.f32.8x256.shuffle", "fft.f16.8x256.shuffle" where it reads or writes halves, or
/// "fft_mixed.f32".
std::string fft_kernel_name(ScalarType type, const FftPass& pass, Method method);

/// The pass for columns of a matrix, whose points do not lie side by side, but their transforms do: for what goes over
/// its data once.
FftPass for_columns(ScalarType type, FftPass pass);

}  // namespace crosslane
