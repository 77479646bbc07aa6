#include "cli/fft_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "cli/array_transfer.hpp"
#include "cli/keep_in.hpp"
#include "cli/npy_type.hpp"
#include "cli/npy_write.hpp"
#include "cli/result_comparison.hpp"

namespace crosslane::cli {
namespace {

std::uint64_t product(std::span<const std::uint64_t> factors) {
  return std::accumulate(factors.begin(), factors.end(), std::uint64_t{1}, std::multiplies<>());
}

using FftRuns = MethodRuns<PassesOutcome>;

struct Buffers {
  std::unique_ptr<Buffer> input;
  std::unique_ptr<Buffer> results;  ///< of the first method, which are written
  std::unique_ptr<Buffer> others;   ///< of each further one, which are only compared; null where there is none
};

// Transforms from `input` to `output`: once for the results, then for the time.
Expected<PassesOutcome> fft_on(Device& device, const FftOptions& options, const AxisLines& lines, Buffer& input,
                               Buffer& output) {
  auto plan = Fft::create(device, options);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  PassesOutcome outcome{outcome_of<MethodOutcome>(options.method, *plan),
                        plan->passes() == 1 ? Passes::one : Passes::several};
  outcome.error_bound = plan->error_bound();
  // Real numbers and their spectra lie along the last axis, line behind line.
  const auto array = [&](Buffer& buffer) {
    return options.real ? FftArray{{&buffer, 0}}
                        : FftArray{{&buffer, 0}, lines.stride, lines.batch_stride, lines.row_stride};
  };
  const auto record = [&](CommandList& list) {
    return plan->record(list, array(input), array(output), lines.count, lines.rows).and_then([&] {
      return list.barrier();
    });
  };
  return run_and_time(device, record).map([&](std::optional<double> median) {
    outcome.gpu_time_ms = median;
    return std::move(outcome);
  });
}

Expected<FftRuns> fft_by_methods(Device& device, FftJob& job, std::uint64_t numbers, const Buffers& buffers,
                                 const Console& console) {
  FftOptions& options = job.options;
  const auto run = [&](Method method, bool first) {
    options.method = method;
    return fft_on(device, options, job.lines, *buffers.input, first ? *buffers.results : *buffers.others);
  };
  const auto agree = [&](const PassesOutcome& first, const PassesOutcome& other) {
    return transforms_agree(device, *buffers.results, *buffers.others, options.type, numbers,
                            first.error_bound + other.error_bound, console);
  };
  return run_methods<PassesOutcome>(job.methods, run, agree);
}

}  // namespace

Expected<AxisLines> lines_along(const NpyFile& file, std::int64_t axis) {
  const std::span<const std::uint64_t> shape = file.header().shape;
  const auto dimensions = static_cast<std::int64_t>(shape.size());
  if (axis < -dimensions || axis >= dimensions) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: --axis {}: the array has {} dimension{}: {}", file.name(), axis, dimensions,
                            dimensions == 1 ? "" : "s",
                            dimensions == 0 ? "transform one with at least one"
                                            : fmt::format("use an axis from {} to {}", -dimensions, dimensions - 1)));
  }
  const auto number = static_cast<std::size_t>(axis < 0 ? axis + dimensions : axis);
  const std::uint64_t size = shape[number];
  if (size == 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: there is nothing along axis {} to transform: its size is 0", file.name(), axis));
  }
  const std::uint64_t before = product(shape.first(number));
  const std::uint64_t behind = product(shape.subspan(number + 1));
  if (behind == 1) {
    return AxisLines{size, 1, before, size, 1, before * size};
  }
  return AxisLines{size, behind, behind, 1, before, size * behind};
}

ScalarType part_type(const NpyHeader& header) {
  return header.type == ScalarType::f32 ? ScalarType::f32 : ScalarType::f64;
}

Expected<std::uint64_t> transform_size(const NpyFile& file, const AxisLines& lines, bool real, bool inverse) {
  if (!real) {
    return lines.size;
  }
  if (lines.stride != 1) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: --real goes along the last axis only: move the axis there with np.moveaxis, or leave "
                            "--real out",
                            file.name()));
  }
  if (!inverse) {
    return file.header().is_complex
               ? Expected<std::uint64_t>(
                     fail(ErrorCode::invalid_argument,
                          fmt::format("{}: its elements are complex, and --real transforms real ones: leave it out",
                                      file.name())))
               : lines.size;
  }
  if (lines.size < 2) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: half of a spectrum has 2 numbers or more along the axis, not {}: leave --real out",
                            file.name(), lines.size));
  }
  return 2 * (lines.size - 1);
}

Expected<FftRuns> fft_file(Device& device, NpyFile& file, FftJob job, const std::filesystem::path& output,
                           const Console& console) {
  const FftOptions& options = job.options;
  const NumberType read{options.type, !options.real || options.inverse};
  const NumberType written{options.type, !options.real || !options.inverse};
  std::vector<std::uint64_t> shape = file.header().shape;
  if (options.real) {  // dimensions of 1 may follow the axis
    *std::ranges::find(shape.rbegin(), shape.rend(), job.lines.size) =
        options.inverse ? options.size : options.size / 2 + 1;
  }
  Buffers buffers;
  FftRuns runs;
  auto pending =
      PendingNpy::begin(output, written.is_complex ? complex_descr_of(written.part) : descr_of(written.part), shape);
  if (!pending) {
    return tl::unexpected(std::move(pending.error()));
  }
  const std::uint64_t bytes = product(shape) * written.bytes();
  const auto make_room = [&] { return device.create_buffer({.bytes = std::max(bytes, written.bytes())}); };
  return load_numbers(device, file, read, console)
      .map(keep_in(buffers.input))
      .and_then(make_room)
      .map(keep_in(buffers.results))
      .and_then([&] { return job.methods.size() > 1 ? make_room() : Expected<std::unique_ptr<Buffer>>{}; })
      .map(keep_in(buffers.others))
      .and_then([&] { return fft_by_methods(device, job, bytes / size_of(options.type), buffers, console); })
      .map(keep_in(runs))
      .and_then([&] {
        return runs.agree ? store_array(device, *buffers.results, bytes, *pending, console).and_then([&] {
          return pending->commit();
        })
                          : Expected<void>{};
      })
      .map([&] { return std::move(runs); });
}

}  // namespace crosslane::cli
