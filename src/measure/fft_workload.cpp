// Fourier transforms of one size, one behind the other.
#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "crosslane/fft.hpp"
#include "measure/workload_parts.hpp"

namespace crosslane::measure {
namespace {

constexpr std::uint64_t most_points = 4096;  // the oracle takes the square of it

struct Transforms : WorkArrays {
  std::uint64_t points;
  std::uint64_t transforms;

  // Transform `number` of a set, summed as it is defined, against what came out.
  template <typename T>
  [[nodiscard]] std::string fault_in(std::uint64_t first_part, std::span<const std::complex<T>> got,
                                     std::uint64_t number, double bound) const {
    std::vector<std::complex<double>> roots(points);
    for (std::uint64_t k = 0; k < points; ++k) {
      roots[k] = std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(points));
    }
    double exact_square = 0.0;
    double error_square = 0.0;
    for (std::uint64_t k = 0; k < points; ++k) {
      std::complex<double> sum = 0.0;
      for (std::uint64_t n = 0; n < points; ++n) {
        const std::uint64_t part = first_part + 2 * (number * points + n);
        sum += std::complex<double>(hash_element<T>(part), hash_element<T>(part + 1)) * roots[n * k % points];
      }
      exact_square += std::norm(sum);
      error_square += std::norm(std::complex<double>(got[number * points + k]) - sum);
    }
    constexpr double of_the_oracle = 1e-13;
    const double error = std::sqrt(error_square / exact_square);
    return error <= bound + of_the_oracle
               ? ""
               : fmt::format("transform {} is off by {:.2e}, {:.2e} is promised", number, error, bound);
  }

  template <typename T>
  Expected<std::string> fault(const Fft& plan, std::size_t set) const {
    return read_array<std::complex<T>>(device, output.at(set), transforms * points)
        .map([&](const std::vector<std::complex<T>>& got) -> std::string {
          const std::uint64_t looked_at = std::clamp<std::uint64_t>((1U << 22U) / (points * points), 1, transforms);
          std::string fault;
          for (std::uint64_t i = 0; i < looked_at && fault.empty(); ++i) {
            const std::uint64_t number = looked_at == 1 ? transforms - 1 : i * (transforms - 1) / (looked_at - 1);
            fault = fault_in<T>(first<T>(set), got, number, plan.error_bound());
          }
          return fault;
        });
  }
};

}  // namespace

Expected<Workload> make_fft_workload(Device& device, const WorkloadOptions& options) {
  const ScalarType type = options.type.value_or(ScalarType::f32);
  if (!is_float(type)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("Fourier transforms are of f32 or f64, not of {}", name(type)));
  }
  if (options.points < 2 || options.points > most_points) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("transforms of {} points are not measured: use 2 to {}", options.points, most_points));
  }
  const auto asked = count_for(device.info(), options);
  if (!asked) {
    return tl::unexpected(asked.error());
  }
  const std::uint64_t transforms = std::max<std::uint64_t>(*asked / options.points, 1);
  const std::uint64_t count = transforms * options.points;
  const std::uint64_t bytes = 2 * count * size_of(type);
  return make_work_arrays(device, options, type, count, bytes, bytes).map([&](const WorkArrays& arrays) {
    const auto state = std::make_shared<Transforms>(Transforms{arrays, options.points, transforms});
    Workload workload = workload_of("fft", arrays);
    workload.work = fmt::format("transforms of {} points, complex {}", options.points, name(type));
    workload.title = fmt::format("{} {}", transforms, workload.work);
    workload.element = fmt::format("complex {}", name(type));
    workload.cost = {bytes, bytes, fmt::format("{0} n bytes read, {0} n written", 2 * size_of(type)),
                     5.0 * static_cast<double>(count) * std::log2(static_cast<double>(options.points)),
                     fmt::format("5 n log2({})", options.points)};
    workload.methods = {Method::groupshared, Method::shuffle};
    workload.make = [state](Method method) {
      FftOptions own;
      own.size = state->points;
      own.type = state->type;
      own.method = method;
      own.wave_size = state->wave_size;
      return make_work<Fft>(
          state->device, own,
          [state](Fft& plan, CommandList& list, std::size_t set) {
            return plan.record(list, {state->input.at(set)}, {state->output.at(set)}, state->transforms);
          },
          [state](const Fft& plan, std::size_t set) {
            return state->type == ScalarType::f32 ? state->fault<float>(plan, set) : state->fault<double>(plan, set);
          });
    };
    return workload;
  });
}

}  // namespace crosslane::measure
