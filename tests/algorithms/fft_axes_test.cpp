// Transforms along several axes, against the definition in one dimension, taken axis by axis.
#include "crosslane/fft_axes.hpp"

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "algorithms/fft_oracle.hpp"
#include "algorithms/slow_device.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::Exact;
using test::must;

using Shape = std::vector<std::uint64_t>;

std::uint64_t elements(const Shape& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) {
    count *= size;
  }
  return count;
}

/// By the definition, along all axes named, with their factors.
std::vector<Exact> expected_grid(std::vector<Exact> values, const FftGrid& grid, const FftOptions& options) {
  for (const std::size_t axis : grid.axes) {
    const std::uint64_t size = grid.shape[axis];
    std::uint64_t stride = 1;
    for (std::size_t behind = axis + 1; behind < grid.shape.size(); ++behind) {
      stride *= grid.shape[behind];
    }
    for (std::uint64_t first = 0; first < values.size(); ++first) {
      if (first / stride % size != 0) {
        continue;
      }
      std::vector<Exact> line;
      for (std::uint64_t i = 0; i < size; ++i) {
        line.push_back(values[first + i * stride]);
      }
      line = test::dft_by_definition(line, options.inverse);
      for (std::uint64_t i = 0; i < size; ++i) {
        values[first + i * stride] = line[i] * test::factor_of(options, size);
      }
    }
  }
  return values;
}

/// What is kept of a spectrum: the first half along one axis.
std::vector<Exact> half_of(const std::vector<Exact>& spectrum, const FftGrid& grid) {
  const std::size_t axis = grid.axes.back();
  std::uint64_t stride = 1;
  for (std::size_t behind = axis + 1; behind < grid.shape.size(); ++behind) {
    stride *= grid.shape[behind];
  }
  std::vector<Exact> half;
  for (std::uint64_t i = 0; i < spectrum.size(); ++i) {
    if (i / stride % grid.shape[axis] <= grid.shape[axis] / 2) {
      half.push_back(spectrum[i]);
    }
  }
  return half;
}

template <typename T>
std::unique_ptr<Buffer> make_buffer(const std::vector<T>& content) {
  auto buffer = must(test::device().create_buffer({content.size() * sizeof(T), MemoryKind::device}));
  must(upload(test::device(), *buffer, std::as_bytes(std::span(content))));
  return buffer;
}

template <typename From, typename To>
std::vector<To> transform(const FftGrid& grid, const FftOptions& options, const std::vector<From>& values,
                          std::size_t count_after) {
  FftAxes plan = must(FftAxes::create(test::device(), grid, options));
  EXPECT_EQ(plan.method(), options.method);
  std::vector<To> results(count_after + 1, To(77));
  const auto input = make_buffer(values);
  const auto output = make_buffer(results);
  const auto list = must(test::device().create_command_list());
  must(plan.record(*list, {input.get(), 0}, {output.get(), 0}));
  must(run(test::device(), *list));
  must(download(test::device(), *output, std::as_writable_bytes(std::span(results))));
  EXPECT_EQ(results.back(), To(77)) << "behind the last";
  results.pop_back();
  std::vector<From> after(values.size());
  must(download(test::device(), *input, std::as_writable_bytes(std::span(after))));
  EXPECT_EQ(after, values) << "the input is only read";
  return results;
}

const std::vector<FftGrid> all_grids = {
    {{8, 16}, {0, 1}},   {{6, 5}, {0, 1}},       {{5, 6}, {1, 0}},  {{3, 4, 10}, {1, 2}},
    {{4, 3, 7}, {0, 1}}, {{2, 6, 4}, {0, 2, 1}}, {{4, 11}, {1, 0}}, {{1, 9}, {0, 1}},
};

std::vector<FftGrid> grids() {
  return test::compiles_slowly() ? std::vector<FftGrid>(all_grids.begin(), all_grids.begin() + 2) : all_grids;
}

template <typename T>
class FftAxesOf : public testing::Test {
 protected:
  void expect_grid(const FftGrid& grid, FftOptions options) {
    using Complex = std::complex<T>;
    const std::string what = fmt::format("shape {} along {} by {}, inverse {}", fmt::join(grid.shape, " × "),
                                         fmt::join(grid.axes, ", "), name(options.method), options.inverse);
    options.type = scalar_type_of<T>;
    const std::uint64_t count = elements(grid.shape);
    const double bound = must(FftAxes::create(test::device(), grid, options)).error_bound();
    auto values = test::random_numbers<T>(count);
    if (!options.real) {
      const auto results = transform<Complex, Complex>(grid, options, values, count);
      EXPECT_LE(test::relative_error(results, expected_grid(test::exact(values), grid, options)), bound) << what;
      return;
    }
    std::vector<T> reals;
    for (Complex& value : values) {
      value.imag(0);
      reals.push_back(value.real());
    }
    FftOptions forward = options;
    forward.inverse = false;
    const auto half = half_of(expected_grid(test::exact(values), grid, forward), grid);
    if (!options.inverse) {
      const auto results = transform<T, Complex>(grid, options, reals, half.size());
      EXPECT_LE(test::relative_error(results, half), bound) << what;
      return;
    }
    const std::vector<Complex> rounded(half.begin(), half.end());
    const auto back = transform<Complex, T>(grid, options, rounded, count);
    EXPECT_LE(test::relative_error(std::vector<Complex>(back.begin(), back.end()), test::exact(values)),
              bound + std::numeric_limits<T>::epsilon())
        << what;
  }
};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(FftAxesOf, Floats);

TYPED_TEST(FftAxesOf, AreTransformedOneAfterTheOther) {
  std::size_t number = 0;
  for (const FftGrid& grid : grids()) {
    for (const Method method : {Method::groupshared, Method::shuffle}) {
      FftOptions options;
      options.method = method;
      options.inverse = number % 2 == 1;
      options.scaling = all_fft_scalings.at(number++ % all_fft_scalings.size());
      this->expect_grid(grid, options);
    }
  }
}

TYPED_TEST(FftAxesOf, OfRealNumbersHaveHalfOfTheirSpectrum) {
  std::size_t number = 0;
  for (const FftGrid& grid : grids()) {
    for (const bool inverse : {false, true}) {
      FftOptions options;
      options.method = number++ % 2 == 0 ? Method::groupshared : Method::shuffle;
      options.real = true;
      options.inverse = inverse;
      this->expect_grid(grid, options);
    }
  }
}

TEST(FftAxes, InPlace) {
  const FftGrid grid{{4, 6}, {0, 1}};
  const auto values = test::random_numbers<float>(24);
  FftAxes plan = must(FftAxes::create(test::device(), grid, {}));
  EXPECT_EQ(plan.passes(), 2U);
  const auto buffer = make_buffer(values);
  const auto list = must(test::device().create_command_list());
  must(plan.record(*list, {buffer.get(), 0}, {buffer.get(), 0}));
  must(run(test::device(), *list));
  std::vector<std::complex<float>> results(values.size());
  must(download(test::device(), *buffer, std::as_writable_bytes(std::span(results))));
  EXPECT_LE(test::relative_error(results, expected_grid(test::exact(values), grid, {})), plan.error_bound());
}

TEST(FftAxes, OfNothing) {
  FftAxes plan = must(FftAxes::create(test::device(), {{0, 6}, {1}}, {}));
  const auto buffer = make_buffer(std::vector<float>(8));
  const auto list = must(test::device().create_command_list());
  must(plan.record(*list, {buffer.get(), 0}, {buffer.get(), 0}));
}

TEST(FftAxes, RefusesWhatIsNotThere) {
  const auto refusal = [](const FftGrid& grid) { return FftAxes::create(test::device(), grid, {}); };
  EXPECT_TRUE(test::fails(refusal({{4, 4}, {}}), ErrorCode::invalid_argument, "one axis at least"));
  EXPECT_TRUE(
      test::fails(refusal({{4, 4}, {2}}), ErrorCode::invalid_argument, "no axis 2 in an array of 2 dimensions"));
  EXPECT_TRUE(
      test::fails(refusal({{4, 4}, {0, 1, 0}}), ErrorCode::invalid_argument, "axis 0 is named twice in 0, 1, 0"));
  EXPECT_TRUE(test::fails(refusal({{4, 0}, {1}}), ErrorCode::invalid_argument, "at least one point, not 0"));
}

}  // namespace
}  // namespace crosslane
