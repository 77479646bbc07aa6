// The work behind `crosslane fft`: the numbers along one axis of a file's array go to a device, are transformed, and
// become a file again.
#pragma once

#include <cstdint>
#include <filesystem>

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

/// Transforms along the lines and writes an array of the same shape to `output`, which is replaced if it is there.
/// Errors: those of Fft, of the device, of reading and of writing.
Expected<RunOutcome> fft_file(Device& device, NpyFile& file, FftOptions options, const AxisLines& lines,
                              const std::filesystem::path& output, const Console& console);

}  // namespace crosslane::cli
