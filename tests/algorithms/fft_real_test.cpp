// Transforms of real numbers, there and back, against the oracle for complex ones. CROSSLANE_LONG_TESTS=1 makes the
// sweep long.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/fft_oracle.hpp"
#include "algorithms/slow_device.hpp"
#include "crosslane/fft.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::must;

constexpr std::size_t count = 3;
constexpr std::size_t guards = 4;  // numbers before the first, between and behind

/// Arrays of `size` numbers each with guards around them.
template <typename T>
std::vector<T> between_guards(const std::vector<std::vector<T>>& arrays, T guard) {
  std::vector<T> all(guards, guard);
  for (const auto& array : arrays) {
    all.insert(all.end(), array.begin(), array.end());
    all.insert(all.end(), guards, guard);
  }
  return all;
}

template <typename T>
std::unique_ptr<Buffer> make_buffer(const std::vector<T>& content) {
  auto buffer = must(test::device().create_buffer({content.size() * sizeof(T), MemoryKind::device}));
  must(upload(test::device(), *buffer, std::as_bytes(std::span(content))));
  return buffer;
}

/// Transforms arrays of real numbers into spectra, or back.
template <typename From, typename To>
std::vector<std::vector<To>> transform(const FftOptions& options, const std::vector<std::vector<From>>& arrays,
                                       std::size_t size_after) {
  Fft plan = must(Fft::create(test::device(), options));
  const To guard(77);
  const auto inputs = between_guards(arrays, From(55));
  std::vector<To> results =
      between_guards(std::vector<std::vector<To>>(arrays.size(), std::vector<To>(size_after, guard)), guard);
  const auto input = make_buffer(inputs);
  const auto output = make_buffer(results);
  const auto list = must(test::device().create_command_list());
  must(plan.record(*list, {{input.get(), guards * sizeof(From)}, 1, arrays.front().size() + guards},
                   {{output.get(), guards * sizeof(To)}, 1, size_after + guards}, arrays.size()));
  must(run(test::device(), *list));
  must(download(test::device(), *output, std::as_writable_bytes(std::span(results))));
  std::vector<std::vector<To>> all;
  auto at = results.begin();
  for (std::size_t i = 0; i <= arrays.size(); ++i) {
    EXPECT_EQ(std::count(at, at + guards, guard), static_cast<std::ptrdiff_t>(guards)) << "guards before array " << i;
    at += guards;
    if (i < arrays.size()) {
      all.emplace_back(at, at + static_cast<std::ptrdiff_t>(size_after));
      at += static_cast<std::ptrdiff_t>(size_after);
    }
  }
  return all;
}

FftOptions forward_of(FftOptions options) {
  options.inverse = false;
  return options;
}

template <typename T>
class RealFftOf : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(RealFftOf, Floats);

TYPED_TEST(RealFftOf, GivesHalfOfTheSpectrumAndTheNumbersBack) {
  using T = TypeParam;
  using Complex = std::complex<T>;
  std::vector<std::uint64_t> sizes = {1, 2, 8, 13, 15, 256, 16384};
  if (!test::compiles_slowly()) {
    sizes.insert(sizes.end(), {3, 6, 35, 1000, 6615});
  }
  if (test::long_run()) {
    sizes.insert(sizes.end(), {4,    5,    7,    9,     10,   11,   12,   16,    21,    27,     32,
                               49,   64,   105,  128,   343,  512,  1001, 1024,  2048,  2187,   2401,
                               4095, 4096, 8192, 10006, 3125, 6561, 9999, 10007, 16807, 117649, 1U << 20U});
  }
  std::size_t number = 0;
  for (const std::uint64_t size : sizes) {
    FftOptions options;
    options.size = size;
    options.type = scalar_type_of<T>;
    options.real = true;
    options.scaling = all_fft_scalings.at(number % all_fft_scalings.size());
    options.method = ++number % 2 == 0 ? Method::groupshared : Method::shuffle;
    std::vector<std::vector<T>> numbers;
    for (std::size_t i = 0; i < count; ++i) {
      numbers.emplace_back();
      for (const Complex& value : test::random_numbers<T>(size, static_cast<unsigned>(i))) {
        numbers.back().push_back(value.real());
      }
    }
    const auto spectra = transform<T, Complex>(options, numbers, size / 2 + 1);
    FftOptions back = options;
    back.inverse = true;
    auto disturbed = spectra;
    for (auto& spectrum : disturbed) {  // imaginary parts that do not count
      spectrum.front().imag(3);
      if (size % 2 == 0) {
        spectrum.back().imag(-5);
      }
    }
    const auto again = transform<Complex, T>(back, disturbed, size);
    // The pairs are transformed, and then there is one more step.
    const long double allowed = test::allowed_error<T>(size, options.scaling) + std::numeric_limits<T>::epsilon();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string where = fmt::format("array {} of {} numbers by {}", i, size, name(options.method));
      auto expected = test::expected_fft<T>({numbers[i].begin(), numbers[i].end()}, options);
      expected.resize(size / 2 + 1);
      EXPECT_LE(test::relative_error(spectra[i], expected), allowed) << where;
      EXPECT_EQ(spectra[i].front().imag(), 0) << where;
      if (size % 2 == 0) {
        EXPECT_EQ(spectra[i].back().imag(), 0) << where;
      }
      const std::vector<Complex> returned(again[i].begin(), again[i].end());
      EXPECT_LE(test::relative_error(returned, {numbers[i].begin(), numbers[i].end()}), 2 * allowed) << where;
    }
  }
}

// Columns of real numbers, which do not lie side by side, and whose number need not be even.
TYPED_TEST(RealFftOf, ApartTheyMayLieAnyhow) {
  using T = TypeParam;
  using Complex = std::complex<T>;
  constexpr std::size_t columns = 5;
  for (const std::uint64_t size : test::compiles_slowly() ? std::vector{8U, 15U} : std::vector{1U, 8U, 11U, 15U, 30U}) {
    for (const Method method : {Method::groupshared, Method::shuffle}) {
      FftOptions options;
      options.size = size;
      options.type = scalar_type_of<T>;
      options.real = true;
      options.apart = true;
      options.method = method;
      Fft forward = must(Fft::create(test::device(), options));
      options.inverse = true;
      Fft inverse = must(Fft::create(test::device(), options));
      std::vector<T> numbers;
      for (const Complex& value : test::random_numbers<T>(size * columns)) {
        numbers.push_back(value.real());
      }
      const std::uint64_t half = size / 2 + 1;
      const auto reals = make_buffer(numbers);
      const auto spectra = make_buffer(std::vector<Complex>(half * columns));
      const auto again = make_buffer(std::vector<T>(size * columns + 1, T(77)));
      const auto list = must(test::device().create_command_list());
      must(forward.record(*list, {{reals.get(), 0}, columns, 1}, {{spectra.get(), 0}, columns, 1}, columns));
      must(list->barrier());
      must(inverse.record(*list, {{spectra.get(), 0}, columns, 1}, {{again.get(), sizeof(T)}, columns, 1}, columns));
      must(run(test::device(), *list));
      std::vector<Complex> found(half * columns);
      must(download(test::device(), *spectra, std::as_writable_bytes(std::span(found))));
      std::vector<T> back(size * columns + 1);
      must(download(test::device(), *again, std::as_writable_bytes(std::span(back))));
      EXPECT_EQ(back.front(), T(77)) << "before the first";
      const long double allowed =
          test::allowed_error<T>(std::max<std::uint64_t>(size, 2)) + std::numeric_limits<T>::epsilon();
      for (std::size_t column = 0; column < columns; ++column) {
        const std::string where = fmt::format("column {} of {} numbers by {}", column, size, name(method));
        std::vector<Complex> x;
        std::vector<Complex> spectrum;
        std::vector<Complex> returned;
        for (std::size_t i = 0; i < size; ++i) {
          x.emplace_back(numbers[i * columns + column]);
          returned.emplace_back(back[1 + i * columns + column]);
        }
        for (std::size_t k = 0; k < half; ++k) {
          spectrum.push_back(found[k * columns + column]);
        }
        auto expected = test::expected_fft<T>(x, forward_of(options));
        expected.resize(half);
        EXPECT_LE(test::relative_error(spectrum, expected), allowed) << where;
        EXPECT_EQ(spectrum.front().imag(), 0) << where;
        EXPECT_LE(test::relative_error(returned, test::exact(x)), 2 * allowed) << where;
      }
    }
  }
}

TEST(RealFft, RefusesWhatCannotBePaired) {
  FftOptions options;
  options.real = true;
  options.size = 8;
  Fft plan = must(Fft::create(test::device(), options));
  const auto buffer = must(test::device().create_buffer({4096, MemoryKind::device}));
  const auto list = must(test::device().create_command_list());
  const auto refusal = [&](const FftArray& reals) { return plan.record(*list, reals, {{buffer.get(), 2048}}, 3); };
  EXPECT_TRUE(test::fails(refusal({{buffer.get(), 0}, 2}), ErrorCode::unsupported, "the first has to be 1"));
  EXPECT_TRUE(test::fails(refusal({{buffer.get(), 0}, 1, 9}), ErrorCode::unsupported, "the others even"));
  EXPECT_TRUE(test::fails(refusal({{buffer.get(), 4}}), ErrorCode::invalid_argument, "is not a multiple of"));
  EXPECT_TRUE(test::fails(plan.record(*list, {{buffer.get(), 0}}, {{buffer.get(), 0}}), ErrorCode::invalid_argument,
                          "overlap"));
}

}  // namespace
}  // namespace crosslane
