// How the passes of a Fourier transform are split over dispatches. Pure arithmetic, no device.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/fft_shape.hpp"
#include "crosslane/device.hpp"
#include "kernels/fft/fft_params.hlsli"

namespace crosslane {

/// An array in bytes and elements, without its buffer.
struct FftView {
  std::uint64_t offset = 0;  ///< bytes
  std::uint64_t stride = 1;  ///< elements, this and those that follow
  std::uint64_t batch_stride = 0;
  std::uint64_t row_stride = 0;
  std::uint64_t points = 1;  ///< of each transform
  std::uint64_t element_bytes = 8;

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
  std::uint32_t units = 1;               ///< lines of a transform, or what else the pass counts of it
  std::uint32_t done = 1;                ///< points transformed by the passes before
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
