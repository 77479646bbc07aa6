#include "algorithms/fft_options.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "algorithms/fft_shape.hpp"
#include "algorithms/method_choice.hpp"

namespace crosslane {

Expected<void> check_fft_options(const FftOptions& options) {
  if (options.size == 0) {
    return fail(ErrorCode::invalid_argument, "a Fourier transform has at least one point, not 0");
  }
  if (!is_float(options.type)) {
    return fail(ErrorCode::invalid_argument, fmt::format("Fourier transforms are of complex numbers with parts of type "
                                                         "f32 or f64, not {}",
                                                         name(options.type)));
  }
  if (options.halves && (options.type != ScalarType::f32 || options.real)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("halves are complex numbers that are transformed as f32, not {}",
                            options.real ? "real ones: give them as complex numbers" : name(options.type)));
  }
  const std::uint64_t largest = std::uint64_t{has_real_pairs(options) ? 2U : 1U} << largest_fft_bits;
  if (options.size > (has_small_factors(options.size) ? largest : largest / 2)) {
    return fail(ErrorCode::unsupported,
                fmt::format("Fourier transforms of {} points are not supported, only of products of 2, 3, 5 and 7 up "
                            "to {} and of others up to {}: cut the array",
                            options.size, largest, largest / 2));
  }
  return {};
}

Expected<void> check_fft_device(const DeviceInfo& device, ScalarType type, Method method) {
  if (method == Method::wave_intrinsics) {
    return fail(ErrorCode::unsupported,
                "HLSL's wave intrinsics reduce and scan, and a Fourier transform exchanges values between lanes: use "
                "method shuffle or groupshared");
  }
  if (type == ScalarType::f64 && !device.features.float64) {
    return fail(ErrorCode::unsupported, fmt::format("{} ({}) has no 64-bit floats", device.id, device.name));
  }
  return check_types(device, ScalarType::f32, Operator::sum, method);
}

double fft_factor(const FftOptions& options) {
  const auto size = static_cast<double>(options.size);
  if (options.scaling == FftScaling::ortho) {
    return 1 / std::sqrt(size);
  }
  return (options.scaling == FftScaling::forward) != options.inverse ? 1 / size : 1.0;
}

double fft_error_bound(const FftOptions& options, bool convolves) {
  constexpr double epsilon_of_halves = 1.0 / 1024;
  const double epsilon =
      options.type == ScalarType::f64 ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  // Single transforms of three random numbers are off by up to 1.05 epsilon, which log2(3) would not allow.
  const std::uint64_t counted = convolves ? 4 * options.size : options.size == 3 ? 4 : options.size;
  double factor = 0.6 * std::log2(static_cast<double>(counted));
  factor += options.scaling == FftScaling::ortho ? 1 : 0;
  factor += options.real ? 1 : 0;
  return factor * epsilon + (options.halves ? epsilon_of_halves : 0);
}

}  // namespace crosslane
