// The work behind `crosslane fft`: the numbers along one axis of a file's array go to a device, are transformed, and
// become a file again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "cli/console.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/fft.hpp"

namespace crosslane::cli {

/// The lines of an array along one axis: element p of line t in row r is element p · stride + t · batch_stride +
/// r · row_stride.
struct AxisLines {
  std::uint64_t size = 1;
  std::uint64_t stride = 1;
  std::uint64_t count = 1;
  std::uint64_t batch_stride = 1;
  std::uint64_t rows = 1;
  std::uint64_t row_stride = 1;
};

/// `axis` counts from the end where it is negative. Errors: `invalid_argument`, naming the file, where the array has no
/// such axis, or nothing along it.
Expected<AxisLines> lines_along(const NpyFile& file, std::int64_t axis);

/// The type of the parts of results: f32 for float32 and complex64, else f64; NumPy's choice.
ScalarType part_type(const NpyHeader& header);

/// The numbers that a transform along the lines has: of real ones' spectra not those that are there. Errors:
/// `invalid_argument`, naming the file, where `real` numbers are none or lie along another axis than the last.
Expected<std::uint64_t> transform_size(const NpyFile& file, const AxisLines& lines, bool real, bool inverse);

/// What is transformed, and by which methods; they take the place of `options.method`.
struct FftJob {
  FftOptions options = {};
  AxisLines lines = {};
  std::vector<Method> methods = {Method::automatic};
};

/// Transforms along the lines by each method, compares what they gave, and writes an array to `output`, which is
/// replaced if it is there: of the same shape but, for real numbers, along the axis. Where methods disagree nothing is
/// written. `options.size` is that of transform_size, `options.type` that of part_type. Errors: those of Fft, of the
/// device, of reading and of writing.
Expected<MethodRuns<PassesOutcome>> fft_file(Device& device, NpyFile& file, FftJob job,
                                             const std::filesystem::path& output, const Console& console);

}  // namespace crosslane::cli
