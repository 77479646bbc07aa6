#include "cli/reduce_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "cli/array_transfer.hpp"
#include "cli/method_run.hpp"

namespace crosslane::cli {
namespace {

struct Input {
  std::unique_ptr<Buffer> buffer;
  double magnitude = 0.0;  ///< Σ|x| of floats that are summed: what error bounds are a factor of
};

template <typename T>
double sum_of_magnitudes(std::span<const std::byte> bytes) {
  double sum = 0.0;
  for (std::size_t offset = 0; offset < bytes.size(); offset += sizeof(T)) {
    T value{};
    std::memcpy(&value, &bytes[offset], sizeof(T));
    sum += std::abs(static_cast<double>(value));
  }
  return sum;
}

double sum_of_magnitudes(ScalarType type, std::span<const std::byte> bytes) {
  switch (type) {
    case ScalarType::f32:
      return sum_of_magnitudes<float>(bytes);
    case ScalarType::f64:
      return sum_of_magnitudes<double>(bytes);
    default:
      return 0.0;
  }
}

Expected<Input> load(Device& device, NpyFile& file, Operator op, const Console& console) {
  Input input;
  PieceObserver observe;
  if (op == Operator::sum) {
    observe = [&](std::span<const std::byte> piece) {
      input.magnitude += sum_of_magnitudes(file.header().type, piece);
    };
  }
  return load_array(device, file, console, observe).map([&](std::unique_ptr<Buffer> buffer) {
    input.buffer = std::move(buffer);
    return std::move(input);
  });
}

// Reduces once for the value, then for the time.
Expected<ReduceOutcome> reduce_on(Device& device, const ReductionOptions& options, std::uint64_t count, Buffer& input,
                                  Buffer& output) {
  auto plan = Reduction::create(device, options);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  auto outcome = outcome_of<ReduceOutcome>(options.method, *plan);
  outcome.error_bound = plan->error_bound(count);
  const auto record = [&](CommandList& list) {
    return plan->record(list, input, 0, count, output).and_then([&] { return list.barrier(); });
  };
  std::array<std::byte, sizeof(double)> bytes{};
  return run_once(device, record)
      .and_then([&] { return download(device, output, std::span(bytes).first(size_of(options.type))); })
      .and_then([&] { return median_time(device, record); })
      .map([&](std::optional<double> median) {
        outcome.value = report::scalar_from_bytes(options.type, bytes);
        outcome.gpu_time_ms = median;
        return std::move(outcome);
      });
}

}  // namespace

Expected<void> check_job(const NpyFile& file, const ReduceJob& job) {
  const ScalarType type = file.header().type;
  if (!is_defined(job.op, type)) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{}: {} is defined for integers only and the elements are {}: use sum, min or max, or convert "
                    "the array to integers",
                    file.name(), name(job.op), name(type)));
  }
  if (file.header().count == 0 && (job.op == Operator::minimum || job.op == Operator::maximum)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: an array without elements has no {}imum: pass one that has elements", file.name(),
                            name(job.op)));
  }
  return {};
}

bool values_agree(const ReduceOutcome& first, const ReduceOutcome& other, double magnitude, bool same_bits) {
  // Two results are each within their bound of the exact one.
  const double tolerance = same_bits ? 0.0 : (first.error_bound + other.error_bound) * magnitude;
  return report::agree(*first.value, *other.value, tolerance);
}

Expected<MethodRuns<ReduceOutcome>> reduce_file(Device& device, NpyFile& file, const ReduceJob& job,
                                                const Console& console) {
  Expected<Input> input = load(device, file, job.op, console);
  if (!input) {
    return tl::unexpected(std::move(input.error()));
  }
  Expected<std::unique_ptr<Buffer>> output = device.create_buffer({.bytes = size_of(file.header().type)});
  if (!output) {
    return tl::unexpected(std::move(output.error()));
  }
  const auto run = [&](Method method, bool /*first*/) {
    return reduce_on(device,
                     {.type = file.header().type,
                      .op = job.op,
                      .method = method,
                      .decisions = job.decisions,
                      .reproducible = job.reproducible,
                      .wave_size = job.wave_size},
                     file.header().count, *input->buffer, **output);
  };
  const auto agree = [&](const ReduceOutcome& first, const ReduceOutcome& other) -> Expected<bool> {
    return values_agree(first, other, input->magnitude, job.reproducible);
  };
  return run_methods<ReduceOutcome>(job.methods, run, agree);
}

}  // namespace crosslane::cli
