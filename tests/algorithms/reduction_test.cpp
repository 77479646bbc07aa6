#include "crosslane/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/limited_device.hpp"
#include "algorithms/reduce_oracle.hpp"
#include "algorithms/run_reduction.hpp"
#include "algorithms/scan_oracle.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::bits_of;
using test::expect_result;
using test::random_values;
using test::reduce_exactly;
using test::Reducer;
using test::sum_in_tree;

template <typename T>
class ReductionOf : public testing::Test {};
using ElementTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(ReductionOf, ElementTypes);

TYPED_TEST(ReductionOf, EveryAlignmentAndShortLength) {
  using T = TypeParam;
  ReductionOptions options;
  options.method = Method::shuffle;
  options.op = Operator::maximum;
  Reducer<T> reducer(test::device(), options);
  for (std::uint64_t first = 0; first < 9; ++first) {
    for (std::size_t size = 1; size < 12; ++size) {
      const auto values = random_values<T>(size);
      expect_result(values, reducer(values, first), Operator::maximum, 0,
                    std::to_string(size) + " elements from " + std::to_string(first));
    }
  }
}

TYPED_TEST(ReductionOf, InputsLargerThanOneBinding) {
  using T = TypeParam;
  test::LimitedDevice limited(test::device(), 64U << 10U, 3);
  const auto values = random_values<T>(50021);
  for (const Method method : all_methods) {
    ReductionOptions options;
    options.method = method;
    Reducer<T> reducer(limited, options);
    expect_result(values, reducer(values, 3), Operator::sum, reducer.plan().error_bound(values.size()),
                  std::string(name(method)));
    // The state is clean again: the second run gives the same.
    expect_result(values, reducer(values, 1), Operator::sum, reducer.plan().error_bound(values.size()), "again");
  }
}

TYPED_TEST(ReductionOf, CountsThatOnlyTheDeviceKnows) {
  using T = TypeParam;
  test::LimitedDevice limited(test::device(), 64U << 10U, 3);
  const auto values = random_values<T>(50021);
  for (const Operator op : {Operator::sum, Operator::maximum}) {
    ReductionOptions options;
    options.op = op;
    Reducer<T> reducer(limited, options);
    for (const std::uint64_t first : {0U, 3U}) {
      for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{30001}, std::uint64_t{50020},
                                        std::uint64_t{50021}, std::uint64_t{50022}, std::uint64_t{1} << 40U}) {
        const auto known = std::min<std::uint64_t>(count, values.size());
        const std::vector<T> there(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(known));
        expect_result(there, reducer(values, first, count), op, reducer.plan().error_bound(values.size()),
                      std::to_string(count) + " elements");
      }
    }
  }
}

TYPED_TEST(ReductionOf, CountOfNoneOnTheDeviceGivesTheIdentity) {
  using T = TypeParam;
  const auto values = random_values<T>(100);
  for (const Operator op : all_operators) {
    if (is_defined(op, scalar_type_of<T>)) {
      ReductionOptions options;
      options.op = op;
      Reducer<T> reducer(test::device(), options);
      const T identity = op <= Operator::maximum ? test::identity_of<T>(op) : reduce_exactly<T>({}, op);
      EXPECT_EQ(bits_of(reducer(values, 0, 0)), bits_of(identity)) << name(op);
    }
  }
}

TYPED_TEST(ReductionOf, NoElements) {
  using T = TypeParam;
  for (const Operator op : all_operators) {
    if (!is_defined(op, scalar_type_of<T>)) {
      continue;
    }
    const auto result = reduce<T>(test::device(), {}, op);
    if (op == Operator::minimum || op == Operator::maximum) {
      ASSERT_FALSE(result.has_value());
      EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
      continue;
    }
    ASSERT_TRUE(result.has_value()) << result.error().message;
    const auto all_bits = static_cast<test::BitsOf<T>>(~test::BitsOf<T>{0});
    EXPECT_EQ(bits_of(*result), op == Operator::bit_and ? all_bits : test::BitsOf<T>{0});
  }
}

TYPED_TEST(ReductionOf, OneCallGivesWhatThePlanGives) {
  using T = TypeParam;
  const auto values = random_values<T>(10007);
  for (const Method method : {Method::automatic, Method::groupshared, Method::shuffle, Method::wave_intrinsics}) {
    const auto result = reduce<T>(test::device(), values, Operator::minimum, method);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_EQ(bits_of(*result), bits_of(reduce_exactly<T>(values, Operator::minimum)));
  }
}

template <typename T>
class FloatReductionOf : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(FloatReductionOf, FloatTypes);

TYPED_TEST(FloatReductionOf, SpecialValuesMeanTheSameInEveryMethod) {
  using T = TypeParam;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  constexpr T denormal = std::numeric_limits<T>::denorm_min();
  const auto among_others = [](T special, std::size_t place) {
    auto values = random_values<T>(1000);
    values[place] = special;
    return values;
  };
  const std::vector<std::vector<T>> inputs = {
      {nan},
      {-nan},
      {nan, infinity},
      among_others(nan, 0),
      among_others(-nan, 999),
      among_others(infinity, 500),
      among_others(-infinity, 3),
      {T{0}, -T{0}},
      {-T{0}, T{0}},
      {-T{0}, -T{0}, -T{0}},
      {denormal, -denormal},
      {denormal, T{0}, -T{0}},
      std::vector<T>(300, -T{0}),
      std::vector<T>(300, infinity),
      {std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()},
  };
  for (const Method method : all_methods) {
    for (const Operator op : {Operator::minimum, Operator::maximum, Operator::sum}) {
      ReductionOptions options;
      options.method = method;
      options.op = op;
      Reducer<T> reducer(test::device(), options);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const T result = reducer(inputs[i], i % 3);
        // Sums of these have one value in any order, and so one representation: no −0, one NaN.
        const T expected = op == Operator::sum ? sum_in_tree(inputs[i]) : reduce_exactly<T>(inputs[i], op);
        if (op == Operator::sum && std::isfinite(expected) && expected != T{0}) {
          EXPECT_NEAR(static_cast<double>(result), static_cast<double>(expected), 1e-3);
        } else {
          EXPECT_EQ(bits_of(result), bits_of(expected)) << name(op) << ' ' << name(method) << " of input " << i;
        }
      }
    }
  }
}

TYPED_TEST(FloatReductionOf, InfinitiesOfBothSignsGiveNaN) {
  using T = TypeParam;
  auto values = random_values<T>(3000);
  values[7] = std::numeric_limits<T>::infinity();
  values[2999] = -std::numeric_limits<T>::infinity();
  for (const Method method : all_methods) {
    const auto result = reduce<T>(test::device(), values, Operator::sum, method);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(bits_of(*result), bits_of(std::numeric_limits<T>::quiet_NaN()));
  }
}

TYPED_TEST(FloatReductionOf, ReproducibleSumsAreOneTree) {
  using T = TypeParam;
  test::LimitedDevice limited(test::device(), 64U << 10U, 3);
  const std::vector<std::size_t> all_sizes = {1, 255, 4097, 50021, 1000003};
  const std::vector<std::size_t> sizes_in_parts = {4097, 50021};
  for (Device* device : {&test::device(), static_cast<Device*>(&limited)}) {
    for (const Method method : all_methods) {
      ReductionOptions options;
      options.method = method;
      options.reproducible = true;
      Reducer<T> reducer(*device, options);
      EXPECT_EQ(reducer.plan().method_note().empty(), method != Method::wave_intrinsics);
      for (const std::size_t size : device == &limited ? sizes_in_parts : all_sizes) {
        const auto values = random_values<T>(size);
        const T expected = sum_in_tree(values);
        EXPECT_EQ(bits_of(reducer(values, size % 5)), bits_of(expected)) << size << ' ' << name(method);
        expect_result(values, expected, Operator::sum, reducer.plan().error_bound(size), "the tree's own bound");
      }
    }
  }
}

// The tree's shape goes by the number that the device knows, not by the one that was recorded.
TYPED_TEST(FloatReductionOf, ReproducibleSumsOfCountsOnTheDevice) {
  using T = TypeParam;
  test::LimitedDevice limited(test::device(), 64U << 10U, 3);
  const auto values = random_values<T>(50021);
  ReductionOptions options;
  options.reproducible = true;
  options.method = Method::shuffle;
  Reducer<T> reducer(limited, options);
  for (const std::uint64_t count : {1U, 4096U, 4097U, 30001U, 50021U}) {
    const std::vector<T> there(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
    EXPECT_EQ(bits_of(reducer(values, 1, count)), bits_of(reducer(there))) << count;
  }
  EXPECT_EQ(bits_of(reducer(values, 0, 0)), bits_of(T{0}));
}

TEST(Reduction, LargerThanTheDevicesBinding) {
  Device& device = test::device();
  const std::uint64_t count = device.info().limits.binding_bytes / 4 + 5;
  if (count > (std::uint64_t{1} << 26U)) {
    // A real GPU shows all of it at once; InputsLargerThanOneBinding covers the splitting there.
    EXPECT_GE(device.info().limits.binding_bytes, std::uint64_t{1} << 28U);
    return;
  }
  std::vector<std::uint32_t> values(count);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::uint32_t>(i * 2654435761U);
  }
  for (const Method method : all_methods) {
    const auto result = reduce<std::uint32_t>(device, values, Operator::sum, method);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_EQ(*result, reduce_exactly<std::uint32_t>(values, Operator::sum)) << name(method);
  }
}

TEST(Reduction, OnePlanRecordedManyTimesInOneList) {
  Device& device = test::device();
  const auto values = random_values<std::uint32_t>(300000);
  auto input = device.create_buffer({values.size() * 4, MemoryKind::device}).value();
  auto output = device.create_buffer({80, MemoryKind::device}).value();
  ASSERT_TRUE(upload(device, *input, std::as_bytes(std::span(values))).has_value());
  auto plan = Reduction::create(device, {}).value();
  auto list = device.create_command_list().value();
  std::vector<std::uint32_t> expected;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const std::uint64_t count = values.size() - i * 1001;
    ASSERT_TRUE(plan.record(*list, *input, i * 4, count, *output, i * 4).has_value());
    expected.push_back(reduce_exactly<std::uint32_t>(std::span(values).subspan(i, count), Operator::sum));
  }
  ASSERT_TRUE(run(device, *list).has_value());
  std::vector<std::uint32_t> results(20);
  ASSERT_TRUE(download(device, *output, std::as_writable_bytes(std::span(results))).has_value());
  EXPECT_EQ(results, expected);
}

TEST(Reduction, RefusesWhatMakesNoSense) {
  Device& device = test::device();
  for (const Operator op : {Operator::bit_and, Operator::bit_or, Operator::bit_xor}) {
    ReductionOptions options;
    options.type = ScalarType::f32;
    options.op = op;
    const auto created = Reduction::create(device, options);
    ASSERT_FALSE(created.has_value());
    EXPECT_EQ(created.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(created.error().message.find(name(op)), std::string::npos) << created.error().message;
  }
  auto buffer = device.create_buffer({64, MemoryKind::device}).value();
  auto list = device.create_command_list().value();
  auto plan = Reduction::create(device, {}).value();
  EXPECT_FALSE(plan.record(*list, *buffer, 2, 4, *buffer, 0).has_value());   // between elements
  EXPECT_FALSE(plan.record(*list, *buffer, 0, 17, *buffer, 0).has_value());  // one too many
  EXPECT_FALSE(plan.record(*list, *buffer, 68, 0, *buffer, 0).has_value());  // begins behind the end
  EXPECT_FALSE(plan.record(*list, *buffer, 0, ~std::uint64_t{0}, *buffer, 0).has_value());
  EXPECT_FALSE(plan.record(*list, *buffer, 0, 4, *buffer, 64).has_value());  // no room for the result
  EXPECT_TRUE(plan.record(*list, *buffer, 4, 15, *buffer, 0).has_value());
}

// A device without wave operations on 64-bit integers: what is computed on 64-bit keys goes through groupshared memory.
TEST(Reduction, AutomaticFallsBackToGroupshared) {
  test::LimitedDevice limited(test::device(), std::uint64_t{1} << 20U, 65535);
  limited.features().wave_extended_types = false;
  ReductionOptions options;
  options.type = ScalarType::f64;
  options.op = Operator::minimum;
  const auto automatic = Reduction::create(limited, options);
  ASSERT_TRUE(automatic.has_value());
  EXPECT_EQ(automatic->method(), Method::groupshared);
  const bool is_default = default_method(limited.info().wave_sizes.standard) == Method::groupshared;
  EXPECT_EQ(automatic->method_note().empty(), is_default);
  options.method = Method::shuffle;
  const auto asked = Reduction::create(limited, options);
  ASSERT_FALSE(asked.has_value());
  EXPECT_EQ(asked.error().code, ErrorCode::unsupported);
}

class Always : public DecisionSource {
 public:
  explicit Always(std::optional<Method> method) : method_(method) {}
  [[nodiscard]] std::optional<Method> decide(const DeviceInfo&, std::string_view algorithm) const override {
    EXPECT_EQ(algorithm, "reduce");
    return method_;
  }

 private:
  std::optional<Method> method_;
};

TEST(Reduction, AutomaticAsksTheDecisionSource) {
  Device& device = test::device();
  for (const Method method : all_methods) {
    const Always decisions(method);
    ReductionOptions options;
    options.decisions = &decisions;
    EXPECT_EQ(Reduction::create(device, options).value().method(), method);
  }
  const Always undecided(std::nullopt);
  ReductionOptions options;
  options.decisions = &undecided;
  EXPECT_EQ(Reduction::create(device, options).value().method(), default_method(device.info().wave_sizes.standard));
}

}  // namespace
}  // namespace crosslane
