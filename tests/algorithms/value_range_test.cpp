#include "algorithms/value_range.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace crosslane {
namespace {

constexpr std::array all_comparisons = {Comparison::equal,      Comparison::not_equal, Comparison::less,
                                        Comparison::less_equal, Comparison::greater,   Comparison::greater_equal};

template <typename T>
bool compare(T a, Comparison comparison, T b) {
  switch (comparison) {
    case Comparison::equal:
      return a == b;
    case Comparison::not_equal:
      return a != b;
    case Comparison::less:
      return a < b;
    case Comparison::less_equal:
      return a <= b;
    case Comparison::greater:
      return a > b;
    case Comparison::greater_equal:
      return a >= b;
  }
  return false;
}

template <typename T>
std::uint64_t bits_of(T value) {
  return ByComparison::of(Comparison::equal, value).operand;
}

template <typename T>
bool keeps(const ValueRange& range, T value) {
  const std::uint64_t above = value_number(scalar_type_of<T>, bits_of(value)) - range.first;
  const std::uint64_t all = sizeof(T) == 8 ? ~std::uint64_t{0} : 0xFFFFFFFFU;
  return ((above & all) <= range.more) != range.inverted;
}

/// Where orders of bits and of values differ, and some at random.
template <typename T>
std::vector<T> interesting_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {T{0}, T{1}, T{2}, Limits::min(), Limits::max(), Limits::lowest(), static_cast<T>(-1)};
  if constexpr (std::is_floating_point_v<T>) {
    values.insert(values.end(), {-T{0}, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                                 -Limits::quiet_NaN(), Limits::signaling_NaN(), Limits::denorm_min(),
                                 -Limits::denorm_min(), -Limits::min(), T{0.5}, -T{0.5}});
  } else {
    values.insert(values.end(), {static_cast<T>(Limits::max() / 2), static_cast<T>(Limits::max() / 2 + 1),
                                 static_cast<T>(Limits::min() + 1), static_cast<T>(Limits::max() - 1)});
  }
  std::mt19937_64 random(7);
  for (int i = 0; i < 40; ++i) {
    const std::uint64_t bits = random();
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    values.push_back(value);
  }
  return values;
}

template <typename T>
class ValueRangeOf : public testing::Test {};
using ElementTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(ValueRangeOf, ElementTypes);

TYPED_TEST(ValueRangeOf, KeepsWhatTheComparisonKeeps) {
  using T = TypeParam;
  const std::vector<T> values = interesting_values<T>();
  for (const Comparison comparison : all_comparisons) {
    for (const T operand : values) {
      const ValueRange range = range_of(ByComparison::of(comparison, operand));
      for (const T value : values) {
        ASSERT_EQ(keeps(range, value), compare(value, comparison, operand))
            << value << ' ' << static_cast<int>(comparison) << ' ' << operand;
      }
    }
  }
}

TYPED_TEST(ValueRangeOf, NumbersOrderAsTheValuesDo) {
  using T = TypeParam;
  for (const T a : interesting_values<T>()) {
    for (const T b : interesting_values<T>()) {
      if (a < b) {
        EXPECT_LT(value_number(scalar_type_of<T>, bits_of(a)), value_number(scalar_type_of<T>, bits_of(b)))
            << a << ' ' << b;
      }
    }
  }
}

}  // namespace
}  // namespace crosslane
