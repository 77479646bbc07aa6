// Transforms of every size, type, method and direction against the oracle. How arrays lie, the scaling and the number
// of transforms go round with them, so that pairs of them meet. CROSSLANE_LONG_TESTS=1 makes the sweep long.
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/fft_oracle.hpp"
#include "algorithms/run_fft.hpp"
#include "algorithms/slow_device.hpp"
#include "support/sweep.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::FftPlaces;
using test::Transformer;

constexpr std::uint64_t largest_small_size = 4096;

/// The ways in which arrays lie, for a size and a number of transforms.
std::vector<FftPlaces> all_places(std::uint64_t size) {
  const std::uint64_t many = 2 * largest_small_size / size + 3;  // more than two groups, the last of them not full
  return {
      {{}, {}, false, many, 1},
      {{3}, {}, true, 1, 1},
      {{1, 2, 2 * size + 1}, {2, 1, size + 3}, false, 5, 1},
      {{0, 7, 1, 7 * size}, {4, 7, 1, 7 * size + 2}, false, 7, 2},
      {{2, 3, 1, 3 * size}, {}, true, 3, 3},
  };
}

std::string words(const FftOptions& options, std::size_t places) {
  return fmt::format("{} of {} points by {}, places {}", options.inverse ? "inverse" : "forward", options.size,
                     name(options.method), places);
}

template <typename T>
void transform_and_check(FftOptions options, const FftPlaces& places, const std::string& what) {
  Transformer<T> transformer(test::device(), options);
  EXPECT_EQ(transformer.plan().method(), options.method);
  const auto values = test::random_numbers<T>(options.size * places.count * places.rows);
  const auto results = transformer(values, places);
  for (std::uint64_t transform = 0; transform < places.count * places.rows; ++transform) {
    const auto part = [&](const auto& all) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(transform * options.size);
      return std::vector(begin, begin + static_cast<std::ptrdiff_t>(options.size));
    };
    ASSERT_NO_FATAL_FAILURE(
        test::expect_fft<T>(part(values), part(results), options, fmt::format("{}, transform {}", what, transform)));
  }
}

template <typename T>
class FftSweep : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(FftSweep, Floats);

TYPED_TEST(FftSweep, EverySmallSize) {
  std::size_t number = 0;
  for (std::uint64_t size = 1; size <= largest_small_size; size *= 2) {
    const auto places = all_places(size);
    for (const Method method : {Method::groupshared, Method::shuffle}) {
      const std::size_t turns = test::long_run() ? places.size() : test::compiles_slowly() || test::is_slow() ? 1 : 2;
      for (std::size_t turn = 0; turn < turns; ++turn, ++number) {
        FftOptions options;
        options.size = size;
        options.method = method;
        options.inverse = number % 2 == 1;
        options.scaling = static_cast<FftScaling>(number / 2 % 3);
        const std::size_t place = number % places.size();
        ASSERT_NO_FATAL_FAILURE(transform_and_check<TypeParam>(options, places[place], words(options, place)));
      }
    }
  }
}

TYPED_TEST(FftSweep, SizesInSeveralPasses) {
  std::vector<std::uint64_t> sizes = {1U << 13U, 1U << 14U, 1U << 17U};
  if (!test::is_slow()) {
    sizes.push_back(1U << 21U);
  }
  if (test::long_run()) {
    sizes.insert(sizes.end(), {1U << 15U, 1U << 16U, 1U << 18U, 1U << 19U, 1U << 20U, 1U << 22U, 1U << 23U});
  }
  std::size_t number = 0;
  for (const std::uint64_t size : sizes) {
    for (const Method method : {Method::groupshared, Method::shuffle}) {
      ++number;
      if (test::compiles_slowly() && (number + number / 2) % 2 == 0) {
        continue;  // one method per size
      }
      FftOptions options;
      options.size = size;
      options.method = method;
      options.inverse = number % 2 == 1;
      options.scaling = static_cast<FftScaling>(number % 3);
      FftPlaces places;
      places.in_place = number % 2 == 0;
      if (size <= 1U << 14U) {
        places.count = 3;
        places.input = {2, 2, 2 * size + 4};
      }
      ASSERT_NO_FATAL_FAILURE(transform_and_check<TypeParam>(options, places, words(options, number)));
    }
  }
}

TYPED_TEST(FftSweep, OtherSizes) {
  // With factors 3, 5 and 7, in one pass, and two of them; and with greater ones.
  std::vector<std::uint64_t> sizes = {3, 60, 5040, 1001};
  if (!test::compiles_slowly()) {
    sizes.insert(sizes.end(), {5, 7, 11, 12, 21, 3000, 49, 100, 343, 2187, 4097});
  }
  if (test::long_run()) {
    sizes.insert(sizes.end(), {6,    9,    13,   15,   17,    35,     105,    30,      42,        48,       63,   96,
                               125,  126,  360,  1000, 1029,  2000,   2047,   2049,    2100,      2401,     3125, 3840,
                               4032, 4050, 4095, 6561, 10007, 100000, 823543, 1000003, 3U << 19U, 3U << 20U});
  }
  std::size_t number = 0;
  for (const std::uint64_t size : sizes) {
    const auto places = all_places(size);
    for (const Method method : {Method::groupshared, Method::shuffle}) {
      ++number;
      if ((test::compiles_slowly() || test::is_slow()) && (number + number / 2) % 2 == 0) {
        continue;  // one method per size
      }
      FftOptions options;
      options.size = size;
      options.method = method;
      options.inverse = number % 3 == 1;
      options.scaling = static_cast<FftScaling>(number % 3);
      const std::size_t place = number % places.size();
      ASSERT_NO_FATAL_FAILURE(transform_and_check<TypeParam>(options, places[place], words(options, place)));
    }
  }
}

}  // namespace
}  // namespace crosslane
