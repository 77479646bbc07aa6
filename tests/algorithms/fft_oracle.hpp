// What Fourier transforms have to give, and how far off they may be.
#pragma once

#include <fftw3.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "crosslane/fft.hpp"

namespace crosslane::test {

using Exact = std::complex<long double>;

/// By the definition: for small sizes.
inline std::vector<Exact> dft_by_definition(const std::vector<Exact>& x, bool inverse) {
  const std::size_t n = x.size();
  std::vector<Exact> results(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      const long double turns = static_cast<long double>(i * k % n) / static_cast<long double>(n);
      const long double angle = 2 * std::numbers::pi_v<long double> * turns;
      results[k] += x[i] * Exact(std::cos(angle), inverse ? std::sin(angle) : -std::sin(angle));
    }
  }
  return results;
}

/// By FFTW in 80 bits.
inline std::vector<Exact> dft_by_fftw(std::vector<Exact> x, bool inverse) {
  auto* const data = reinterpret_cast<fftwl_complex*>(x.data());  // NOLINT: FFTW's documentation says so
  fftwl_plan_s* const plan =
      fftwl_plan_dft_1d(static_cast<int>(x.size()), data, data, inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
  fftwl_execute(plan);
  fftwl_destroy_plan(plan);
  return x;
}

template <typename T>
std::vector<Exact> exact(const std::vector<std::complex<T>>& values) {
  return {values.begin(), values.end()};
}

/// The factor of results that `options` ask for.
inline long double factor_of(const FftOptions& options, std::uint64_t points) {
  const auto size = static_cast<long double>(points);
  if (options.scaling == FftScaling::ortho) {
    return 1 / std::sqrt(size);
  }
  return (options.scaling == FftScaling::forward) != options.inverse ? 1 / size : 1;
}

/// The results of one transform, with the factor that `options` ask for.
template <typename T>
std::vector<Exact> expected_fft(const std::vector<std::complex<T>>& x, const FftOptions& options) {
  constexpr std::size_t small = 32;
  std::vector<Exact> results =
      x.size() <= small ? dft_by_definition(exact(x), options.inverse) : dft_by_fftw(exact(x), options.inverse);
  for (Exact& result : results) {
    result *= factor_of(options, x.size());
  }
  return results;
}

/// The root of the mean square error, relative to that of the exact values.
template <typename T>
long double relative_error(const std::vector<std::complex<T>>& results, const std::vector<Exact>& expected) {
  long double error = 0;
  long double all = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    error += std::norm(Exact(results[i]) - expected[i]);
    all += std::norm(expected[i]);
  }
  return all == 0 ? std::sqrt(error) : std::sqrt(error / all);
}

/// Whether a number has prime factors above 7.
inline bool has_large_factors(std::uint64_t number) {
  for (const std::uint64_t prime : {2U, 3U, 5U, 7U}) {
    while (number % prime == 0) {
      number /= prime;
    }
  }
  return number != 1;
}

/// What the contract allows transforms of `size` points.
template <typename T>
long double allowed_error(std::uint64_t size, FftScaling scaling = FftScaling::backward) {
  constexpr long double epsilon = std::numeric_limits<T>::epsilon();
  const std::uint64_t counted = has_large_factors(size) ? 4 * size : size == 3 ? 4 : size;
  return epsilon * (0.6L * std::log2(static_cast<long double>(counted)) + (scaling == FftScaling::ortho ? 1 : 0));
}

template <typename T>
void expect_fft(const std::vector<std::complex<T>>& x, const std::vector<std::complex<T>>& results,
                const FftOptions& options, const std::string& what) {
  ASSERT_EQ(results.size(), x.size()) << what;
  ASSERT_LE(relative_error(results, expected_fft(x, options)), allowed_error<T>(options.size, options.scaling)) << what;
}

template <typename T>
std::vector<std::complex<T>> random_numbers(std::size_t count, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<T> parts(-1, 1);
  std::vector<std::complex<T>> values(count);
  for (auto& value : values) {
    value = {parts(engine), parts(engine)};
  }
  return values;
}

}  // namespace crosslane::test
