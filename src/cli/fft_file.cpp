#include "cli/fft_file.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "cli/array_transfer.hpp"
#include "cli/npy_type.hpp"
#include "cli/npy_write.hpp"

namespace crosslane::cli {
namespace {

std::uint64_t product(std::span<const std::uint64_t> factors) {
  return std::accumulate(factors.begin(), factors.end(), std::uint64_t{1}, std::multiplies<>());
}

// Transforms from `input` to `output`: once for the results, then for the time.
Expected<RunOutcome> fft_on(Device& device, const FftOptions& options, const AxisLines& lines, Buffer& input,
                            Buffer& output) {
  auto plan = Fft::create(device, options);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  RunOutcome outcome{.asked = options.method == Method::automatic ? plan->method() : options.method,
                     .ran = plan->method(),
                     .passes = plan->passes() == 1 ? Passes::one : Passes::several,
                     .note = choice_note(options.method, plan->method_note())};
  const auto array = [&](Buffer& buffer) {
    return FftArray{{&buffer, 0}, lines.stride, lines.batch_stride, lines.row_stride};
  };
  const auto record = [&](CommandList& list) {
    return plan->record(list, array(input), array(output), lines.count, lines.rows).and_then([&] {
      return list.barrier();
    });
  };
  return run_once(device, record)
      .and_then([&] { return median_time(device, record); })
      .map([&](std::optional<double> median) {
        outcome.gpu_time_ms = median;
        return std::move(outcome);
      });
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

Expected<RunOutcome> fft_file(Device& device, NpyFile& file, FftOptions options, const AxisLines& lines,
                              const std::filesystem::path& output, const Console& console) {
  const NpyHeader& header = file.header();
  options.size = lines.size;
  options.type = part_type(header);
  std::unique_ptr<Buffer> input;
  std::unique_ptr<Buffer> results;
  const auto keep = [](auto& place) { return [&place](auto made) { place = std::move(made); }; };
  auto pending = PendingNpy::begin(output, complex_descr_of(options.type), header.shape);
  if (!pending) {
    return tl::unexpected(std::move(pending.error()));
  }
  RunOutcome outcome;
  return load_complex(device, file, options.type, console)
      .map(keep(input))
      .and_then([&] { return device.create_buffer({.bytes = input->bytes()}); })
      .map(keep(results))
      .and_then([&] { return fft_on(device, options, lines, *input, *results); })
      .map(keep(outcome))
      .and_then(
          [&] { return store_array(device, *results, header.count * 2 * size_of(options.type), *pending, console); })
      .and_then([&] { return pending->commit(); })
      .map([&] { return std::move(outcome); });
}

}  // namespace crosslane::cli
