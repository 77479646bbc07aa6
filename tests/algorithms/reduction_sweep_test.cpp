// Reductions of all types by all operators and methods: every small size, and larger ones.
// CROSSLANE_LONG_TESTS=1 makes the sweeps long.
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/reduce_oracle.hpp"
#include "algorithms/run_reduction.hpp"
#include "algorithms/slow_device.hpp"
#include "support/expected.hpp"
#include "support/sweep.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::bits_of;
using test::expect_result;
using test::must;
using test::random_values;
using test::Reducer;
using test::sum_in_tree;

/// All that differ in what runs, for elements of type `T`.
template <typename T>
std::vector<ReductionOptions> all_options() {
  std::vector<ReductionOptions> all;
  for (const Operator op : all_operators) {
    for (const Method method : all_methods) {
      if (!is_defined(op, scalar_type_of<T>)) {
        continue;
      }
      ReductionOptions options;
      options.type = scalar_type_of<T>;
      options.op = op;
      options.method = method;
      all.push_back(options);
      if (std::is_floating_point_v<T> && op == Operator::sum) {
        options.reproducible = true;
        all.push_back(options);
      }
    }
  }
  return all;
}

std::string words(const ReductionOptions& options, std::size_t size, std::uint64_t first) {
  return fmt::format("{}{} {} of {} elements from {}", options.reproducible ? "reproducible " : "", name(options.op),
                     name(options.method), size, first);
}

template <typename T>
void check(const ReductionOptions& options, const std::vector<T>& values, T result, double error_bound,
           std::uint64_t first) {
  const std::string where = words(options, values.size(), first);
  if (options.reproducible) {
    EXPECT_EQ(bits_of(result), bits_of(sum_in_tree(values))) << where;
  } else {
    expect_result(values, result, options.op, error_bound, where);
  }
}

// One list with a recording per size, so that thousands of sizes take no longer than a second.
template <typename T>
void check_small_sizes(Reduction& plan, const ReductionOptions& options) {
  constexpr std::size_t firsts = 9;
  const std::size_t largest = test::is_slow() ? 40 : test::extent<std::size_t>(270, 4200);
  const std::vector<T> values = random_values<T>(largest + firsts);
  Device& device = test::device();
  const auto input = must(device.create_buffer({.bytes = values.size() * sizeof(T)}));
  const auto output = must(device.create_buffer({.bytes = largest * sizeof(T)}));
  must(upload(device, *input, std::as_bytes(std::span(values))));
  const auto list = must(device.create_command_list());
  for (std::size_t size = 1; size <= largest; ++size) {
    must(plan.record(*list, *input, size % firsts * sizeof(T), size, *output, (size - 1) * sizeof(T)));
  }
  must(run(device, *list));
  std::vector<T> results(largest);
  must(download(device, *output, std::as_writable_bytes(std::span(results))));
  for (std::size_t size = 1; size <= largest && !testing::Test::HasFailure(); ++size) {
    const std::size_t first = size % firsts;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    check(options, std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(size)), results[size - 1],
          plan.error_bound(size), first);
  }
}

/// Arrays of some sizes that matter, and of random ones.
template <typename T>
std::vector<std::vector<T>> larger_inputs() {
  constexpr double largest_exponent = 20;
  std::vector<std::size_t> sizes = {2048 * 4 - 1, 65537};
  if (!test::is_slow()) {
    sizes.push_back(1000003);
  }
  if (test::long_run()) {
    sizes.push_back((std::size_t{1} << 24U) + 3);
  }
  const int seeds = test::extent(1, 24);
  for (int seed = 0; seed < seeds; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    sizes.push_back(
        static_cast<std::size_t>(std::exp2(std::uniform_real_distribution<double>(0, largest_exponent)(random))));
  }
  std::vector<std::vector<T>> inputs;
  inputs.reserve(sizes.size());
  for (const std::size_t size : sizes) {
    inputs.push_back(random_values<T>(size, inputs.size()));
  }
  return inputs;
}

template <typename T>
class ReductionSweep : public testing::Test {};
using ElementTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(ReductionSweep, ElementTypes);

TYPED_TEST(ReductionSweep, EverySizeOperatorAndMethod) {
  using T = TypeParam;
  const std::vector<std::vector<T>> inputs = larger_inputs<T>();
  for (const ReductionOptions& options : all_options<T>()) {
    Reducer<T> reducer(test::device(), options);
    if (!options.reproducible) {
      EXPECT_EQ(reducer.plan().method(), options.method);
      EXPECT_EQ(reducer.plan().method_note(), "");
    }
    ASSERT_NO_FATAL_FAILURE(check_small_sizes<T>(reducer.plan(), options));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::uint64_t first = i % 7;
      check(options, inputs[i], reducer(inputs[i], first), reducer.plan().error_bound(inputs[i].size()), first);
    }
  }
}

}  // namespace
}  // namespace crosslane
