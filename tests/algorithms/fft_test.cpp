#include "crosslane/fft.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/fft_oracle.hpp"
#include "algorithms/limited_device.hpp"
#include "algorithms/run_fft.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::must;
using test::random_numbers;
using test::Transformer;

FftOptions options_of(std::uint64_t size, Method method, bool inverse = false) {
  FftOptions options;
  options.size = size;
  options.method = method;
  options.inverse = inverse;
  return options;
}

constexpr std::array both_methods = {Method::groupshared, Method::shuffle};

TEST(FftOracle, FFTWKeepsTheDefinition) {
  const auto x = test::exact(random_numbers<double>(64));
  for (const bool inverse : {false, true}) {
    const auto slow = test::dft_by_definition(x, inverse);
    const auto fast = test::dft_by_fftw(x, inverse);
    for (std::size_t k = 0; k < x.size(); ++k) {
      EXPECT_LT(std::abs(slow[k] - fast[k]), 1e-16L) << k;
    }
  }
}

template <typename T>
class FftOf : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(FftOf, Floats);

TYPED_TEST(FftOf, AnImpulseIsFlatAndAnotherTurns) {
  using Complex = std::complex<TypeParam>;
  constexpr std::size_t size = 256;
  for (const Method method : both_methods) {
    Transformer<TypeParam> transformer(test::device(), options_of(size, method));
    std::vector<Complex> x(size);
    x[0] = 1;
    for (const Complex& value : transformer(x)) {
      EXPECT_EQ(value, Complex(1)) << "exact: no factor touches it";
    }
    x[0] = 0;
    x[1] = 1;
    const auto turned = transformer(x);
    for (std::size_t k = 0; k < size; ++k) {
      const double angle = -2 * std::numbers::pi * static_cast<double>(k) / size;
      EXPECT_NEAR(turned[k].real(), std::cos(angle), 4 * std::numeric_limits<TypeParam>::epsilon()) << k;
      EXPECT_NEAR(turned[k].imag(), std::sin(angle), 4 * std::numeric_limits<TypeParam>::epsilon()) << k;
    }
  }
}

TYPED_TEST(FftOf, KeepsEnergyAndIsLinear) {
  using Complex = std::complex<TypeParam>;
  constexpr std::size_t size = 1024;
  for (const Method method : both_methods) {
    FftOptions options = options_of(size, method);
    options.scaling = FftScaling::ortho;
    Transformer<TypeParam> transformer(test::device(), options);
    const auto x = random_numbers<TypeParam>(size, 1);
    const auto y = random_numbers<TypeParam>(size, 2);
    const Complex a(2, -1);
    std::vector<Complex> sums(size);
    for (std::size_t i = 0; i < size; ++i) {
      sums[i] = a * x[i] + y[i];
    }
    const auto of_x = transformer(x);
    const auto of_y = transformer(y);
    const auto of_sums = transformer(sums);
    double energy = 0;
    double energy_after = 0;
    std::vector<test::Exact> combined(size);
    for (std::size_t k = 0; k < size; ++k) {
      energy += static_cast<double>(std::norm(test::Exact(x[k])));
      energy_after += static_cast<double>(std::norm(test::Exact(of_x[k])));
      combined[k] = test::Exact(a) * test::Exact(of_x[k]) + test::Exact(of_y[k]);
    }
    EXPECT_NEAR(energy_after / energy, 1, 10 * std::numeric_limits<TypeParam>::epsilon());
    EXPECT_LE(test::relative_error(of_sums, combined), 2 * test::allowed_error<TypeParam>(size, options.scaling));
  }
}

TYPED_TEST(FftOf, AShiftTurnsTheResults) {
  using Complex = std::complex<TypeParam>;
  constexpr std::size_t size = 128;
  constexpr std::size_t shift = 37;
  for (const Method method : both_methods) {
    Transformer<TypeParam> transformer(test::device(), options_of(size, method));
    const auto x = random_numbers<TypeParam>(size);
    std::vector<Complex> shifted(size);
    for (std::size_t i = 0; i < size; ++i) {
      shifted[(i + shift) % size] = x[i];
    }
    const auto of_x = transformer(x);
    std::vector<test::Exact> turned(size);
    for (std::size_t k = 0; k < size; ++k) {
      const long double angle =
          -2 * std::numbers::pi_v<long double> * static_cast<long double>(k * shift % size) / size;
      turned[k] = test::Exact(of_x[k]) * test::Exact(std::cos(angle), std::sin(angle));
    }
    EXPECT_LE(test::relative_error(transformer(shifted), turned), 2 * test::allowed_error<TypeParam>(size));
  }
}

TYPED_TEST(FftOf, ThereAndBackAgain) {
  std::uint64_t size = 8;
  for (const FftScaling scaling : {FftScaling::backward, FftScaling::ortho, FftScaling::forward}) {
    FftOptions options = options_of(size, Method::shuffle);
    options.scaling = scaling;
    const auto x = random_numbers<TypeParam>(size * 3);
    const auto there = must(fft<TypeParam>(test::device(), x, options));
    options.inverse = true;
    const auto back = must(fft<TypeParam>(test::device(), there, options));
    EXPECT_LE(test::relative_error(back, test::exact(x)), 2 * test::allowed_error<TypeParam>(size, scaling));
    size *= 32;
  }
}

TYPED_TEST(FftOf, NaNStaysInItsTransform) {
  constexpr std::size_t size = 16;
  constexpr std::size_t count = 5;
  for (const Method method : both_methods) {
    Transformer<TypeParam> transformer(test::device(), options_of(size, method));
    auto x = random_numbers<TypeParam>(size * count);
    x[2 * size + 3] = std::numeric_limits<TypeParam>::quiet_NaN();
    test::FftPlaces places;
    places.count = count;
    const auto results = transformer(x, places);
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(std::isnan(results[i].real()) || std::isnan(results[i].imag()), i / size == 2) << i;
    }
  }
}

TYPED_TEST(FftOf, ArraysLargerThanOneBinding) {
  constexpr std::uint64_t size = 256;
  test::LimitedDevice limited(test::device(), 64U << 10U, 3);
  for (const Method method : both_methods) {
    Transformer<TypeParam> transformer(limited, options_of(size, method));
    test::FftPlaces places{{1}, {3, 2, 2 * size + 2, 40 * size}, false, 17, 5};
    const auto values = random_numbers<TypeParam>(size * places.count * places.rows);
    const auto results = transformer(values, places);
    for (std::uint64_t i = 0; i < values.size(); i += size) {
      const auto part = [&](const auto& all) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i);
        return std::vector(begin, begin + static_cast<std::ptrdiff_t>(size));
      };
      test::expect_fft<TypeParam>(part(values), part(results), transformer.options(), fmt::format("from {} on", i));
    }
  }
}

TYPED_TEST(FftOf, ManyRecordingsInOneList) {
  using Complex = std::complex<TypeParam>;
  Device& device = test::device();
  constexpr std::size_t size = 8192;
  const auto x = random_numbers<TypeParam>(size);
  FftOptions options = options_of(size, Method::automatic);
  options.type = scalar_type_of<TypeParam>;
  options.scaling = FftScaling::ortho;
  Fft plan = must(Fft::create(device, options));
  EXPECT_EQ(plan.passes(), 2U);
  const auto buffer = must(device.create_buffer({size * sizeof(Complex), MemoryKind::device}));
  must(upload(device, *buffer, std::as_bytes(std::span(x))));
  const auto list = must(device.create_command_list());
  // Four times is the identity.
  const FftArray array{{buffer.get(), 0}};
  for (int time = 0; time < 4; ++time) {
    must(plan.record(*list, array, array));
    must(list->barrier());
  }
  must(run(device, *list));
  std::vector<Complex> results(size);
  must(download(device, *buffer, std::as_writable_bytes(std::span(results))));
  EXPECT_LE(test::relative_error(results, test::exact(x)), 4 * test::allowed_error<TypeParam>(size, options.scaling));
}

// As docs/fft.md says.
TYPED_TEST(FftOf, TwoDimensionsByRowsAndColumns) {
  using Complex = std::complex<TypeParam>;
  Device& device = test::device();
  constexpr std::size_t width = 32;
  constexpr std::size_t height = 8;
  const auto x = random_numbers<TypeParam>(width * height);
  FftOptions options = options_of(width, Method::automatic);
  options.type = scalar_type_of<TypeParam>;
  Fft rows = must(Fft::create(device, options));
  options.size = height;
  Fft columns = must(Fft::create(device, options));
  const auto buffer = must(device.create_buffer({x.size() * sizeof(Complex), MemoryKind::device}));
  must(upload(device, *buffer, std::as_bytes(std::span(x))));
  const auto list = must(device.create_command_list());
  const FftArray by_rows{{buffer.get(), 0}};
  const FftArray by_columns{{buffer.get(), 0}, width, 1};
  must(rows.record(*list, by_rows, by_rows, height));
  must(list->barrier());
  must(columns.record(*list, by_columns, by_columns, width));
  must(run(device, *list));
  std::vector<Complex> results(x.size());
  must(download(device, *buffer, std::as_writable_bytes(std::span(results))));
  std::vector<test::Exact> expected;
  for (std::size_t row = 0; row < height; ++row) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(row * width);
    const auto transformed =
        test::dft_by_definition(test::exact(std::vector(begin, begin + static_cast<std::ptrdiff_t>(width))), false);
    expected.insert(expected.end(), transformed.begin(), transformed.end());
  }
  for (std::size_t column = 0; column < width; ++column) {
    std::vector<test::Exact> line;
    for (std::size_t row = 0; row < height; ++row) {
      line.push_back(expected[row * width + column]);
    }
    line = test::dft_by_definition(line, false);
    for (std::size_t row = 0; row < height; ++row) {
      expected[row * width + column] = line[row];
    }
  }
  EXPECT_LE(test::relative_error(results, expected), test::allowed_error<TypeParam>(width * height));
}

TEST(Fft, OfNoArrays) {
  EXPECT_TRUE(must(fft<float>(test::device(), {}, options_of(8, Method::shuffle))).empty());
  Fft plan = must(Fft::create(test::device(), options_of(8, Method::shuffle)));
  const auto buffer = must(test::device().create_buffer({64, MemoryKind::device}));
  const auto list = must(test::device().create_command_list());
  EXPECT_TRUE(plan.record(*list, {{buffer.get(), 0}}, {{buffer.get(), 0}}, 0).has_value());
  EXPECT_TRUE(plan.record(*list, {{buffer.get(), 0}}, {{buffer.get(), 0}}, 1, 0).has_value());
}

TEST(Fft, RefusesWhatItCannotDo) {
  Device& device = test::device();
  const auto refusal = [&](const FftOptions& options) { return Fft::create(device, options); };
  EXPECT_TRUE(test::fails(refusal(options_of(0, Method::shuffle)), ErrorCode::invalid_argument, "at least one point"));
  EXPECT_TRUE(test::fails(refusal(options_of(1U << 25U, Method::shuffle)), ErrorCode::unsupported,
                          "of 33554432 points are not supported, only of products of 2, 3, 5 and 7 up to 16777216 "
                          "and of others up to 8388608"));
  EXPECT_TRUE(test::fails(refusal(options_of((1U << 23U) + 1, Method::shuffle)), ErrorCode::unsupported, "8388609"));
  EXPECT_TRUE(test::fails(refusal(options_of(8, Method::wave_intrinsics)), ErrorCode::unsupported,
                          "use method shuffle or groupshared"));
  FftOptions options = options_of(8, Method::shuffle);
  options.type = ScalarType::u32;
  EXPECT_TRUE(test::fails(refusal(options), ErrorCode::invalid_argument, "not u32"));
  EXPECT_TRUE(test::fails(fft<float>(device, random_numbers<float>(12), options_of(8, Method::shuffle)),
                          ErrorCode::invalid_argument, "12 values are no whole number of arrays of 8"));
}

class FftRanges : public testing::Test {
 protected:
  Device& device_ = test::device();
  Fft plan_ = must(Fft::create(device_, options_of(8, Method::groupshared)));
  std::unique_ptr<Buffer> buffer_ = must(device_.create_buffer({1600, MemoryKind::device}));
  std::unique_ptr<CommandList> list_ = must(device_.create_command_list());

  Expected<void> record(const FftArray& input, const FftArray& output, std::uint64_t count) {
    return plan_.record(*list_, input, output, count);
  }
};

TEST_F(FftRanges, OverlappingButNotTheSameAreRefused) {
  EXPECT_TRUE(test::fails(record({{buffer_.get(), 0}}, {{buffer_.get(), 8}}, 2), ErrorCode::invalid_argument,
                          "the input, 128 bytes from byte 0 on, and the output, 128 bytes from byte 8 on, overlap"));
  EXPECT_TRUE(test::fails(record({{buffer_.get(), 0}}, {{buffer_.get(), 0}, 2}, 2), ErrorCode::invalid_argument,
                          "in place with the same strides"));
  EXPECT_TRUE(record({{buffer_.get(), 0}}, {{buffer_.get(), 128}}, 2).has_value());
}

TEST_F(FftRanges, OutsideOfTheBufferAreRefused) {
  EXPECT_TRUE(test::fails(record({{buffer_.get(), 0}}, {{buffer_.get(), 0}}, 26), ErrorCode::invalid_argument,
                          "the input range of 208 elements"));
  EXPECT_TRUE(test::fails(record({{buffer_.get(), 4}}, {{buffer_.get(), 0}}, 1), ErrorCode::invalid_argument,
                          "the input offset 4 is not a multiple of the element size 8"));
  EXPECT_TRUE(test::fails(record({{buffer_.get(), 0}, 0}, {{buffer_.get(), 800}}, 1), ErrorCode::invalid_argument,
                          "strides of 0"));
}

TEST_F(FftRanges, SpansBeyondOneBindingAreRefused) {
  test::LimitedDevice limited(device_, 64U << 10U, 65535);
  Fft plan = must(Fft::create(limited, options_of(4096, Method::groupshared)));
  const auto large = must(device_.create_buffer({std::uint64_t{4096} * 3 * 8, MemoryKind::device}));
  EXPECT_TRUE(test::fails(plan.record(*list_, {{large.get(), 0}, 3}, {{large.get(), 0}, 3}), ErrorCode::unsupported,
                          "one transform of 4096 points takes 98288 bytes at a time"));
}

}  // namespace
}  // namespace crosslane
