// The parts of Fourier transforms: in registers against the definition, and exchanges against Stockham's order as
// hlsl/crosslane/wave/fft.hlsli says it, for every radix, number of values and shape of group.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hlsl/run_kernel.hpp"

namespace crosslane::hlsl_tests {
namespace {

using Complex = std::complex<double>;

constexpr std::uint32_t threads = 128;  // of kernels/fft.hlsl

template <typename T>
Array array_of(const std::vector<Complex>& values) {
  const std::vector<std::complex<T>> typed(values.begin(), values.end());
  Array array{std::vector<std::uint32_t>(typed.size() * sizeof(typed[0]) / 4)};
  std::memcpy(array.words.data(), typed.data(), array.words.size() * 4);
  return array;
}

template <typename T>
std::vector<Complex> values_of(const Array& array) {
  std::vector<std::complex<T>> typed(array.words.size() * 4 / sizeof(std::complex<T>));
  std::memcpy(static_cast<void*>(typed.data()), array.words.data(), array.words.size() * 4);
  return {typed.begin(), typed.end()};
}

class FftParts : public testing::TestWithParam<std::string> {
 protected:
  FftParts() {
    const std::string& name = GetParam();  // "shuffle.float.16.4"
    const std::size_t radix_begin = name.rfind('.') + 1;
    const std::size_t size_begin = name.rfind('.', radix_begin - 2) + 1;
    radix_ = static_cast<std::uint32_t>(std::stoul(name.substr(radix_begin)));
    size_ = static_cast<std::uint32_t>(std::stoul(name.substr(size_begin)));
    is_double_ = name.find("double") != std::string::npos;
    by_shuffle_ = name.starts_with("shuffle");
  }

  [[nodiscard]] std::vector<Complex> run(const std::vector<Complex>& values,
                                         const std::vector<std::uint32_t>& constants) const {
    std::vector<Array> arrays = {is_double_ ? array_of<double>(values) : array_of<float>(values)};
    arrays.push_back(Array::results(arrays[0].words.size()));
    run_kernel("fft." + GetParam(), arrays, constants);
    return is_double_ ? values_of<double>(arrays[1]) : values_of<float>(arrays[1]);
  }

  /// Checks where all values go when `thread_bits` and so on are as given.
  void expect_exchange(std::uint32_t thread_bits, std::uint32_t beside_bits, std::uint32_t done_bits) const {
    std::vector<Complex> values;
    for (std::uint32_t number = 0; number < threads * size_; ++number) {
      values.emplace_back(number, -static_cast<double>(number));
    }
    const auto results = run(values, {thread_bits, beside_bits, done_bits});
    const std::uint32_t step = size_ / radix_;
    const std::uint32_t of_transform = 1U << thread_bits;
    const std::uint32_t done = 1U << done_bits;
    for (std::uint32_t element = 0; element < threads; ++element) {
      const std::uint32_t thread = (element >> beside_bits) % of_transform;
      for (std::uint32_t i = 0; i < size_; ++i) {
        // Digit r of butterfly q goes to its place in the middle of the rest.
        const std::uint32_t rest = i % step * of_transform + thread;
        const std::uint32_t to = (rest / done * radix_ + i / step) * done + rest % done;
        const std::uint32_t target = element + ((to % of_transform) << beside_bits) - (thread << beside_bits);
        ASSERT_EQ(results[target * size_ + to / of_transform], values[element * size_ + i])
            << fmt::format("value {} of element {}, {} thread bits, {} beside, {} done", i, element, thread_bits,
                           beside_bits, done_bits);
      }
    }
  }

  std::uint32_t radix_ = 0;
  std::uint32_t size_ = 0;
  bool is_double_ = false;
  bool by_shuffle_ = false;
};

class FftInRegisters : public FftParts {};

TEST_P(FftInRegisters, AreTransforms) {
  std::vector<Complex> values;
  for (std::uint32_t number = 0; number < threads * size_; ++number) {
    values.emplace_back(number * number % 31, number % 7);
  }
  const auto results = run(values, {});
  const std::uint32_t step = size_ / radix_;
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    for (std::uint32_t i = 0; i < size_; ++i) {
      Complex expected;
      for (std::uint32_t n = 0; n < radix_; ++n) {
        const std::uint32_t digit = i / step;
        const double turns = static_cast<double>(digit * n) / radix_;
        expected += values[thread * size_ + i % step + n * step] * std::polar(1.0, -2 * std::numbers::pi * turns);
      }
      ASSERT_LT(std::abs(results[thread * size_ + i] - expected), is_double_ ? 1e-12 : 1e-4) << i << " of " << thread;
    }
  }
}

class FftExchange : public FftParts {};

TEST_P(FftExchange, FollowsStockhamsOrder) {
  const auto bits = [](std::uint32_t power) { return static_cast<std::uint32_t>(std::countr_zero(power)); };
  const std::uint32_t lanes = by_shuffle_ ? std::min(wave_size(), threads) : threads;
  for (std::uint32_t thread_bits = bits(radix_); thread_bits <= bits(lanes); ++thread_bits) {
    for (std::uint32_t beside_bits = 0; thread_bits + beside_bits <= bits(lanes); beside_bits += 2) {
      // Only a first stage has fewer points than a thread.
      const std::uint32_t most_done = radix_ == size_ ? thread_bits - bits(radix_) : 0;
      for (std::uint32_t done_bits = 0; done_bits <= most_done; ++done_bits) {
        ASSERT_NO_FATAL_FAILURE(expect_exchange(thread_bits, beside_bits, done_bits));
      }
    }
  }
}

std::vector<std::string> names(const std::vector<std::string>& parts) {
  std::vector<std::string> all;
  for (const std::string& part : parts) {
    const std::string prefix = part + ".";
    for (const std::string& name : kernels_below("fft." + prefix)) {
      all.push_back(prefix + name);
    }
  }
  return all;
}

std::string test_name(const testing::TestParamInfo<std::string>& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, FftInRegisters, testing::ValuesIn(names({"registers"})), test_name);
INSTANTIATE_TEST_SUITE_P(Kernels, FftExchange, testing::ValuesIn(names({"shuffle", "groupshared"})), test_name);

}  // namespace
}  // namespace crosslane::hlsl_tests
