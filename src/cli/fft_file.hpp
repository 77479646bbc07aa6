// The work behind `crosslane fft`: the numbers of a file's array go to a device, are transformed along some axes, and
// become a file again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/fft_axes.hpp"

namespace crosslane::cli {

/// What is asked for of an array.
struct FftSelection {
  std::vector<std::int64_t> axes = {-1};  ///< to transform along; negative ones count from the end
  std::string flag = "--axis -1";         ///< that named them, for messages
  bool inverse = false;
  bool real = false;
  bool halves = false;  ///< FILE has complex numbers as float16 with a last axis of 2
  std::optional<std::uint64_t> size =
      {};  ///< of real numbers, along the last of the axes, that half of a spectrum becomes
};

/// The array to transform, and the axes. Errors: `invalid_argument`, naming the file, where it has no such axis, or
/// nothing along it; and where its elements or sizes are not those that the flags say.
Expected<FftGrid> grid_of(const NpyFile& file, const FftSelection& selection);

/// The type of the parts of results: f32 for float32, complex64 and float16, else f64; NumPy's choice.
ScalarType part_type(const NpyHeader& header);

/// What is transformed, and by which methods; they take the place of `options.method`.
struct FftJob {
  FftGrid grid = {};
  FftOptions options = {};
  std::vector<Method> methods = {Method::automatic};
};

/// Transforms by each method, compares what they gave, and writes an array to `output`, which is replaced if it is
/// there: of the same shape but, for real numbers, along the last axis named. Where methods disagree nothing is
/// written. `grid` is that of grid_of, `options.type` that of part_type. Errors: those of FftAxes, of the device, of
/// reading and of writing.
Expected<MethodRuns<PassesOutcome>> fft_file(Device& device, NpyFile& file, FftJob job,
                                             const std::filesystem::path& output, const Console& console);

/// Bytes that one run reads of the input and writes of the output.
std::uint64_t bytes_moved(const FftJob& job);

}  // namespace crosslane::cli
