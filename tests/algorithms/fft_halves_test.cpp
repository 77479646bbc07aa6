// Transforms of complex numbers that lie in memory as two 16-bit floats each.
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/fft_oracle.hpp"
#include "algorithms/slow_device.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::must;

/// A number that 16 bits hold: (1024 + fraction) · 2^(exponent - 25), or less without a leading 1024.
double number_of(std::uint32_t half) {
  const std::uint32_t exponent = half >> 10U & 31U;
  const std::uint32_t fraction = half & 1023U;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
  return (half & 0x8000U) == 0 ? magnitude : -magnitude;
}

test::Exact unpacked(std::uint32_t word) { return {number_of(word & 0xFFFFU), number_of(word >> 16U)}; }

/// Random numbers between 2^-7 and 2 in magnitude.
std::vector<std::uint32_t> random_halves(std::size_t count) {
  std::mt19937 engine(3);
  std::uniform_int_distribution<std::uint32_t> bits;
  const auto one = [&] { return (bits(engine) & 0x83FFU) | (8U + bits(engine) % 8) << 10U; };
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) {
    word = one() | one() << 16U;
  }
  return words;
}

void expect_halves(const FftOptions& options, std::uint64_t count, bool in_place) {
  const std::string what =
      fmt::format("{} of {} points by {}", options.inverse ? "inverse" : "forward", options.size, name(options.method));
  Fft plan = must(Fft::create(test::device(), options));
  const std::vector<std::uint32_t> values = random_halves(options.size * count);
  constexpr std::uint32_t guard = 0x12345678;
  std::vector<std::uint32_t> content = {guard};
  content.insert(content.end(), values.begin(), values.end());
  content.push_back(guard);
  const auto make = [&](const std::vector<std::uint32_t>& words) {
    auto buffer = must(test::device().create_buffer({words.size() * 4, MemoryKind::device}));
    must(upload(test::device(), *buffer, std::as_bytes(std::span(words))));
    return buffer;
  };
  const auto input = make(content);
  const auto separate = make(std::vector<std::uint32_t>(content.size(), guard));
  Buffer& output = in_place ? *input : *separate;
  const auto list = must(test::device().create_command_list());
  must(plan.record(*list, {{input.get(), 4}}, {{&output, 4}}, count));
  must(run(test::device(), *list));
  must(download(test::device(), output, std::as_writable_bytes(std::span(content))));
  EXPECT_EQ(content.front(), guard) << what;
  EXPECT_EQ(content.back(), guard) << what;
  for (std::uint64_t transform = 0; transform < count; ++transform) {
    std::vector<std::complex<double>> x;
    std::vector<std::complex<double>> results;
    for (std::uint64_t i = 0; i < options.size; ++i) {
      x.emplace_back(unpacked(values[transform * options.size + i]));
      results.emplace_back(unpacked(content[1 + transform * options.size + i]));
    }
    EXPECT_LE(test::relative_error(results, test::expected_fft<double>(x, options)), plan.error_bound()) << what;
  }
}

TEST(FftOfHalves, OfAllKindsOfSizes) {
  std::vector<std::uint64_t> sizes = {8, 15, 101};
  if (!test::compiles_slowly()) {
    sizes.insert(sizes.end(), {1, 64, 100, 4096, 5040, 8192});
  }
  if (test::long_run()) {
    sizes.insert(sizes.end(), {2, 3, 4, 16, 31, 32, 49, 128, 256, 512, 1024, 2048, 3000, 16384, 10007});
  }
  std::size_t number = 0;
  for (const std::uint64_t size : sizes) {
    for (const Method method : {Method::groupshared, Method::shuffle}) {
      FftOptions options;
      options.size = size;
      options.halves = true;
      options.inverse = number % 2 == 1;
      options.scaling = FftScaling::ortho;  // sums of thousands do not fit 16 bits
      options.method = method;
      expect_halves(options, size > 4096 ? 2 : 9, number++ % 3 == 0);
    }
  }
}

TEST(FftOfHalves, StateTheirBound) {
  FftOptions options;
  options.halves = true;
  const double of_halves = must(Fft::create(test::device(), options)).error_bound();
  options.halves = false;
  EXPECT_DOUBLE_EQ(of_halves, must(Fft::create(test::device(), options)).error_bound() + std::ldexp(1.0, -10));
}

TEST(FftOfHalves, RefusesOtherTypesAndRealNumbers) {
  FftOptions options;
  options.halves = true;
  options.type = ScalarType::f64;
  EXPECT_TRUE(
      test::fails(Fft::create(test::device(), options), ErrorCode::invalid_argument, "transformed as f32, not f64"));
  options.type = ScalarType::f32;
  options.real = true;
  EXPECT_TRUE(test::fails(Fft::create(test::device(), options), ErrorCode::invalid_argument, "not real ones"));
}

}  // namespace
}  // namespace crosslane
