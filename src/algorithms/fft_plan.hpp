// The shape of a Fourier transform: passes, and how their work is split over dispatches. Pure arithmetic, no device.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/fft.hpp"
#include "kernels/fft/fft_params.hlsli"

namespace crosslane {

/// log2 of the size of the largest transforms, and of the largest that go over their data once.
inline constexpr std::uint32_t largest_fft_bits = 24;
constexpr std::uint32_t one_pass_fft_bits(ScalarType type) { return type == ScalarType::f64 ? 11 : 12; }

/// One pass over the data: transforms of 2^size_bits points each, or kernels/fft/fft_split.hlsl.
struct FftPass {
  std::uint32_t size_bits = 0;
  std::uint32_t points = 2;       ///< per thread
  std::uint32_t threads = 256;    ///< per group
  std::uint32_t beside_bits = 0;  ///< log2 of the lines that neighbouring threads hold the same points of
  bool paired = false;            ///< points are read and written two at a time
  bool splits = false;            ///< between spectra of real numbers and of their pairs

  auto operator<=>(const FftPass&) const = default;
};

/// Lines that a thread group transforms, a power of two.
std::uint32_t lines_per_group(const FftPass& pass);

/// What a transform is made of. Sizes that are no powers of two are a convolution with a chirp, by two transforms of
/// at least twice the size (L. Bluestein 1970): x[n] times c[n] becomes a spectrum, which is multiplied by that of
/// conj(c) and transformed back, and then multiplied by c[k]; c[k] = exp(−πi k² / size).
struct FftShape {
  std::uint64_t size = 1;       ///< complex points of the caller's arrays: of real numbers half as many
  std::uint32_t size_bits = 0;  ///< log2 of the points of the transform, or of each of the two
  std::vector<FftPass> passes;  ///< of both
  bool convolves = false;

  /// The first and the last pass that transform.
  [[nodiscard]] std::size_t first_transforming() const { return passes.front().splits ? 1 : 0; }
  [[nodiscard]] std::size_t last_transforming() const { return passes.size() - (passes.back().splits ? 2 : 1); }
};

/// `size` points, at least one, by `method` in waves of `wave_size` lanes.
FftShape plan_fft_shape(ScalarType type, std::uint64_t size, Method method, std::uint32_t wave_size);

/// The same for 2 * size real numbers, taken for as many complex ones in pairs: their spectrum is split at the end, or
/// merged at the beginning of the inverse.
FftShape plan_real_fft_shape(ScalarType type, std::uint64_t size, bool inverse, Method method, std::uint32_t wave_size);

/// Whether the kernel of a pass can read and write two points at a time.
bool has_pairs(ScalarType type, const FftPass& pass, Method method);

/// The kernel of a pass: "fft.f32.8x256.shuffle", or "fft_split.f32".
std::string fft_kernel_name(ScalarType type, const FftPass& pass, Method method);

/// An array in bytes and elements, without its buffer.
struct FftView {
  std::uint64_t offset = 0;  ///< bytes
  std::uint64_t stride = 1;  ///< elements, this and those that follow
  std::uint64_t batch_stride = 0;
  std::uint64_t row_stride = 0;
  std::uint64_t points = 1;  ///< of each transform

  bool operator==(const FftView&) const = default;
};

/// The shape for arrays that lie so: what goes over its data once is changed for columns of a matrix, whose points do
/// not lie side by side, but their transforms do; and where arrays are not aligned for pairs of points.
FftShape for_arrays(ScalarType type, FftShape shape, const FftView& from, const FftView& to);

/// Elements from the first to behind the last of `rows` times `count` transforms, all of them > 0.
std::uint64_t span_of(const FftView& view, std::uint64_t count, std::uint64_t rows);

/// What one dispatch reads or writes.
struct FftBinding {
  std::uint64_t offset = 0;  ///< bytes
  std::uint64_t bytes = 0;
};

/// One dispatch of one pass. The first pass reads the input, the last one writes the output; between them, pass p
/// writes scratch memory p % 2, which pass p + 1 reads.
struct FftDispatch {
  std::size_t pass = 0;
  bool after_barrier = false;
  FftBinding from;
  FftBinding to;
  std::uint32_t groups = 0;
  kernel_interface::FftParams params{};  ///< left 0: what does not depend on the arrays
};

struct FftWork {
  std::vector<FftDispatch> dispatches;
  std::uint64_t scratch_bytes = 0;  ///< of each scratch memory
};

/// Splits `rows` times `count` transforms, at least one, into dispatches. Errors: `unsupported` where one transform
/// spans more than a binding shows.
Expected<FftWork> plan_fft(const DeviceLimits& limits, ScalarType type, const FftShape& shape, const FftView& input,
                           const FftView& output, std::uint64_t count, std::uint64_t rows);

}  // namespace crosslane
