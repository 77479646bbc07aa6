#include "cli/reduce_file.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// One method's run: the value from a first run alone, then the time of further ones.
class MethodRun {
 public:
  MethodRun(Device& device, const NpyHeader& header, Buffer& input, Buffer& output)
      : device_(&device), header_(&header), input_(&input), output_(&output) {}

  Expected<MethodOutcome> operator()(const ReductionOptions& options) {
    Expected<Reduction> reduction = Reduction::create(*device_, options);
    if (!reduction) {
      return tl::unexpected(std::move(reduction.error()));
    }
    const auto record = [&](CommandList& list) {
      return reduction->record(list, *input_, 0, header_->count, *output_).and_then([&] { return list.barrier(); });
    };
    MethodOutcome outcome{.method = options.method == Method::automatic ? reduction->method() : options.method,
                          .ran = reduction->method(),
                          .value = {},
                          .gpu_time_ms = {},
                          .note = choice_note(options.method, reduction->method_note()),
                          .error_bound = reduction->error_bound(header_->count)};
    if (const Expected<void> computed = run_once(*device_, record); !computed) {
      return tl::unexpected(computed.error());
    }
    std::array<std::byte, sizeof(double)> bytes{};
    if (const Expected<void> done = download(*device_, *output_, std::span(bytes).first(size_of(header_->type)));
        !done) {
      return tl::unexpected(done.error());
    }
    outcome.value = report::scalar_from_bytes(header_->type, bytes);
    return median_time(*device_, record).map([&](std::optional<double> median) {
      outcome.gpu_time_ms = median;
      return std::move(outcome);
    });
  }

 private:
  Device* device_;
  const NpyHeader* header_;
  Buffer* input_;
  Buffer* output_;
};

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

bool all_agree(const std::vector<MethodOutcome>& outcomes, double magnitude, bool same_bits) {
  const auto first =
      std::ranges::find_if(outcomes, [](const MethodOutcome& outcome) { return outcome.value.has_value(); });
  // Every value against the first: two results are each within their bound of the exact one.
  return std::all_of(first, outcomes.end(), [&](const MethodOutcome& outcome) {
    const double tolerance = same_bits ? 0.0 : (first->error_bound + outcome.error_bound) * magnitude;
    return !outcome.value || report::agree(*first->value, *outcome.value, tolerance);
  });
}

Expected<ReduceOutcome> reduce_file(Device& device, NpyFile& file, const ReduceJob& job, const Console& console) {
  Expected<Input> input = load(device, file, job.op, console);
  if (!input) {
    return tl::unexpected(std::move(input.error()));
  }
  Expected<std::unique_ptr<Buffer>> output = device.create_buffer({.bytes = size_of(file.header().type)});
  if (!output) {
    return tl::unexpected(std::move(output.error()));
  }

  ReduceOutcome outcome;
  MethodRun run_method(device, file.header(), *input->buffer, **output);
  std::optional<Error> refused;
  for (const Method method : job.methods) {
    Expected<MethodOutcome> result = run_method({.type = file.header().type,
                                                 .op = job.op,
                                                 .method = method,
                                                 .reproducible = job.reproducible,
                                                 .wave_size = job.wave_size});
    if (result) {
      outcome.methods.push_back(*std::move(result));
    } else if (result.error().code == ErrorCode::unsupported) {
      refused = result.error();
      outcome.methods.push_back({.method = method,
                                 .ran = {},
                                 .value = {},
                                 .gpu_time_ms = {},
                                 .note = result.error().message,
                                 .error_bound = 0.0});
    } else {
      return tl::unexpected(std::move(result.error()));
    }
  }
  if (refused &&
      std::ranges::none_of(outcome.methods, [](const MethodOutcome& method) { return method.value.has_value(); })) {
    return tl::unexpected(*std::move(refused));
  }
  outcome.agree = all_agree(outcome.methods, input->magnitude, job.reproducible);
  return outcome;
}

}  // namespace crosslane::cli
