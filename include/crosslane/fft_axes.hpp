// FftAxes: discrete Fourier transforms in two and more dimensions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/fft.hpp"
#include "crosslane/method.hpp"

namespace crosslane {

/// An array whose elements follow each other by rows, the last axis the fastest, and the axes of it to transform along.
struct FftGrid {
  std::vector<std::uint64_t> shape;  ///< with FftOptions::real, of the real numbers
  /// Each once, by their numbers in `shape`. Along the others there are as many transforms as there are elements. The
  /// last one named is that along which FftOptions::real has half of a spectrum: size / 2 + 1 elements.
  std::vector<std::size_t> axes;
};

/// A plan to transform arrays of one shape along several axes, one after the other: NumPy's fftn, ifftn, rfftn and
/// irfftn. A matrix of `height` × `width` numbers is transformed in two dimensions by {{height, width}, {0, 1}}, and
/// many of them by
/// {{count, height, width}, {1, 2}}.
///
/// Contract as for Fft, along each axis; errors add up, to error_bound() at most. The plan keeps memory of its own, as
/// Fft does.
class FftAxes {
 public:
  /// `options.size` does not count: the shape says it. Errors: those of Fft::create for the size along each axis, and
  /// `invalid_argument` for axes that are not there or named twice, and for none.
  static Expected<FftAxes> create(Device& device, const FftGrid& grid, const FftOptions& options);

  FftAxes(FftAxes&&) noexcept;
  FftAxes& operator=(FftAxes&&) noexcept;
  ~FftAxes();

  /// Records the transform of the array that begins at `input` into the one at `output`: the same place, where neither
  /// is of real numbers, or places that share no memory. Barriers are due before and after. Errors: those of
  /// Fft::record.
  Expected<void> record(CommandList& list, const BufferPlace& input, const BufferPlace& output);

  /// As for Fft.
  [[nodiscard]] Method method() const;
  [[nodiscard]] const std::string& method_note() const;
  /// How often a transform goes over its data, along all axes.
  [[nodiscard]] std::uint32_t passes() const;
  /// The largest error, as the root of the mean square relative to that of the exact results.
  [[nodiscard]] double error_bound() const;

 private:
  struct Plan;
  explicit FftAxes(std::unique_ptr<Plan> plan);
  std::unique_ptr<Plan> plan_;
};

}  // namespace crosslane
