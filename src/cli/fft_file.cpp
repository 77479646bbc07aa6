#include "cli/fft_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "base/product.hpp"
#include "cli/array_transfer.hpp"
#include "cli/keep_in.hpp"
#include "cli/npy_type.hpp"
#include "cli/npy_write.hpp"
#include "cli/result_comparison.hpp"

namespace crosslane::cli {
namespace {

using FftRuns = MethodRuns<PassesOutcome>;

struct Buffers {
  std::unique_ptr<Buffer> input;
  std::unique_ptr<Buffer> results;  ///< of the first method, which are written
  std::unique_ptr<Buffer> others;   ///< of each further one, which are only compared; null where there is none
};

/// One of the two arrays of a job.
struct Side {
  std::vector<std::uint64_t> shape;
  bool is_complex = true;
  std::uint64_t element_bytes = 0;

  [[nodiscard]] std::uint64_t bytes() const { return product(shape) * element_bytes; }
};

Side side_of(const FftJob& job, bool is_input) {
  const FftOptions& options = job.options;
  Side side{job.grid.shape, !options.real || is_input == options.inverse};
  side.element_bytes = size_of(options.type) * (side.is_complex ? 2 : 1) / (options.halves ? 2 : 1);
  if (options.real && side.is_complex) {
    std::uint64_t& size = side.shape[job.grid.axes.back()];
    size = size / 2 + 1;
  }
  return side;
}

// Transforms from `input` to `output`: once for the results, then for the time.
Expected<PassesOutcome> fft_on(Device& device, const FftJob& job, Buffer& input, Buffer& output) {
  auto plan = FftAxes::create(device, job.grid, job.options);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  PassesOutcome outcome{outcome_of<MethodOutcome>(job.options.method, *plan),
                        plan->passes() == 1 ? Passes::one : Passes::several};
  outcome.error_bound = plan->error_bound();
  const auto record = [&](CommandList& list) {
    return plan->record(list, {&input, 0}, {&output, 0}).and_then([&] { return list.barrier(); });
  };
  return run_and_time(device, record).map([&](std::optional<double> median) {
    outcome.gpu_time_ms = median;
    return std::move(outcome);
  });
}

Expected<FftRuns> fft_by_methods(Device& device, FftJob& job, const Side& written, const Buffers& buffers,
                                 const Console& console) {
  const auto run = [&](Method method, bool first) {
    job.options.method = method;
    return fft_on(device, job, *buffers.input, first ? *buffers.results : *buffers.others);
  };
  const auto agree = [&](const PassesOutcome& first, const PassesOutcome& other) {
    const TransformParts parts = job.options.halves                    ? TransformParts::f16
                                 : job.options.type == ScalarType::f64 ? TransformParts::f64
                                                                       : TransformParts::f32;
    const std::uint64_t count = product(written.shape) * (written.is_complex ? 2 : 1);
    return transforms_agree(device, *buffers.results, *buffers.others, parts, count,
                            first.error_bound + other.error_bound, console);
  };
  return run_methods<PassesOutcome>(job.methods, run, agree);
}

Expected<std::size_t> axis_number(const NpyFile& file, const FftSelection& selection,
                                  std::span<const std::uint64_t> shape, std::int64_t axis) {
  const auto dimensions = static_cast<std::int64_t>(shape.size());
  if (axis < -dimensions || axis >= dimensions) {
    const auto asked = static_cast<std::int64_t>(selection.axes.size());
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: {}: the array has {} dimension{}: {}", file.name(), selection.flag, dimensions,
                    dimensions == 1 ? "" : "s",
                    dimensions < asked || dimensions == 0
                        ? fmt::format("transform one with at least {}", asked == 1 ? "one" : fmt::to_string(asked))
                        : fmt::format("use axes from {} to {}", -dimensions, dimensions - 1)));
  }
  const auto number = static_cast<std::size_t>(axis < 0 ? axis + dimensions : axis);
  if (shape[number] == 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: there is nothing along axis {} to transform: its size is 0", file.name(), axis));
  }
  return number;
}

// What real numbers half of a spectrum of `size` numbers becomes.
Expected<std::uint64_t> size_of_reals(const NpyFile& file, std::uint64_t size, std::optional<std::uint64_t> asked) {
  if (asked && (*asked == 0 || *asked / 2 + 1 != size)) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: --size {}: half of a spectrum of {} number{} is that of {} real ones: use one of these, or "
                    "cut the spectrum",
                    file.name(), *asked, size, size == 1 ? "" : "s",
                    size == 1 ? "1" : fmt::format("{} or {}", 2 * size - 2, 2 * size - 1)));
  }
  if (!asked && size < 2) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: half of a spectrum has 2 numbers or more along the axis, not {}: say --size 1, or leave "
                    "--real out",
                    file.name(), size));
  }
  return asked.value_or(2 * (size - 1));
}

}  // namespace

Expected<FftGrid> grid_of(const NpyFile& file, const FftSelection& selection) {
  const NpyHeader& header = file.header();
  FftGrid grid{header.shape, {}};
  if (selection.halves) {
    if (grid.shape.empty() || grid.shape.back() != 2) {
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("{}: its shape is ({}), and --halves takes a last axis of 2, real and imaginary part: save "
                      "np.stack([a.real, a.imag], -1).astype(np.float16)",
                      file.name(), fmt::join(grid.shape, ", ")));
    }
    grid.shape.pop_back();
  }
  for (const std::int64_t axis : selection.axes) {
    const auto number = axis_number(file, selection, grid.shape, axis);
    if (!number) {
      return tl::unexpected(number.error());
    }
    if (std::ranges::find(grid.axes, *number) != grid.axes.end()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: {} names axis {} twice: name each once", file.name(), selection.flag, *number));
    }
    grid.axes.push_back(*number);
  }
  if (selection.real && !selection.inverse && header.is_complex) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: its elements are complex, and --real transforms real ones: leave it out", file.name()));
  }
  if (selection.real && selection.inverse) {
    std::uint64_t& size = grid.shape[grid.axes.back()];
    const auto reals = size_of_reals(file, size, selection.size);
    if (!reals) {
      return tl::unexpected(reals.error());
    }
    size = *reals;
  }
  return grid;
}

ScalarType part_type(const NpyHeader& header) {
  return header.channel || header.type == ScalarType::f32 ? ScalarType::f32 : ScalarType::f64;
}

std::uint64_t bytes_moved(const FftJob& job) { return side_of(job, true).bytes() + side_of(job, false).bytes(); }

Expected<FftRuns> fft_file(Device& device, NpyFile& file, FftJob job, const std::filesystem::path& output,
                           const Console& console) {
  const FftOptions& options = job.options;
  const Side read = side_of(job, true);
  const Side written = side_of(job, false);
  std::vector<std::uint64_t> shape = written.shape;
  std::string descr = written.is_complex ? complex_descr_of(options.type) : descr_of(options.type);
  if (options.halves) {
    shape.push_back(2);
    descr = descr_of(NpyChannel::f16);
  }
  Buffers buffers;
  FftRuns runs;
  auto pending = PendingNpy::begin(output, descr, shape);
  if (!pending) {
    return tl::unexpected(std::move(pending.error()));
  }
  const auto load = [&] {
    return options.halves ? load_array(device, file, console)
                          : load_numbers(device, file, {options.type, read.is_complex}, console);
  };
  const auto make_room = [&] {
    return device.create_buffer({.bytes = std::max(written.bytes(), written.element_bytes)});
  };
  return load()
      .map(keep_in(buffers.input))
      .and_then(make_room)
      .map(keep_in(buffers.results))
      .and_then([&] { return job.methods.size() > 1 ? make_room() : Expected<std::unique_ptr<Buffer>>{}; })
      .map(keep_in(buffers.others))
      .and_then([&] { return fft_by_methods(device, job, written, buffers, console); })
      .map(keep_in(runs))
      .and_then([&] {
        return runs.agree ? store_array(device, *buffers.results, written.bytes(), *pending, console).and_then([&] {
          return pending->commit();
        })
                          : Expected<void>{};
      })
      .map([&] { return std::move(runs); });
}

}  // namespace crosslane::cli
