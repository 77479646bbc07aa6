// Scans of all types by all operators, methods and passes, at the sizes where something changes. Inclusive and
// exclusive, in place and not, and where the arrays begin go round with the sizes, so that pairs of them meet.
// CROSSLANE_LONG_TESTS=1 makes the sweep long.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/run_reduction.hpp"
#include "algorithms/run_scan.hpp"
#include "algorithms/scan_oracle.hpp"
#include "algorithms/scan_plan.hpp"
#include "algorithms/slow_device.hpp"
#include "support/sweep.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::random_values;
using test::Scanner;

template <typename T>
std::vector<ScanOptions> all_options() {
  std::vector<ScanOptions> all;
  for (const Operator op : {Operator::sum, Operator::minimum, Operator::maximum}) {
    for (const Method method : all_methods) {
      for (const Passes passes : {Passes::one, Passes::several}) {
        for (const bool exclusive : {false, true}) {
          // Lavapipe ends waits early (docs/scan.md).
          const bool runs = passes == Passes::several || test::device().info().kind != DeviceKind::software;
          if (runs && (method != Method::wave_intrinsics || op == Operator::sum)) {
            ScanOptions options;
            options.op = op;
            options.method = method;
            options.passes = passes;
            options.exclusive = exclusive;
            all.push_back(options);
          }
        }
      }
    }
  }
  return all;
}

std::string words(const ScanOptions& options, std::size_t size, const test::ScanPlaces& places) {
  return fmt::format("{} {} {} in {}, {} elements from {} to {}", options.exclusive ? "exclusive" : "inclusive",
                     name(options.op), name(options.method),
                     options.passes == Passes::one ? "one pass" : "several passes", size, places.first_in,
                     places.in_place ? "the same place" : std::to_string(places.first_out));
}

template <typename T>
std::vector<std::size_t> sizes() {
  const std::size_t wave = test::device().info().wave_sizes.standard;
  const std::size_t group = CROSSLANE_SCAN_THREADS;
  const std::size_t tile = scan_tile(sizeof(T));
  std::vector<std::size_t> all = {0,         1,     wave - 1, wave,     wave + 1, group - 1,
                                  group + 1, group, tile - 1, tile + 1, tile,     3 * tile + 1};
  if (!test::is_slow()) {
    all.insert(all.end(), {65537, 1000003});
  }
  return all;
}

template <typename T>
class ScanSweep : public testing::Test {};
using ElementTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(ScanSweep, ElementTypes);

TYPED_TEST(ScanSweep, EverySizeOperatorMethodAndNumberOfPasses) {
  using T = TypeParam;
  const auto options_of_all = all_options<T>();
  std::vector<std::vector<T>> inputs;
  for (const std::size_t size : sizes<T>()) {
    inputs.push_back(random_values<T>(size));
  }
  for (std::size_t number = 0; number < options_of_all.size(); ++number) {
    const ScanOptions& options = options_of_all[number];
    // A software driver takes seconds to compile each variant: there every third option goes with each type.
    const std::size_t turn = number + static_cast<std::size_t>(scalar_type_of<T>);
    if (test::device().info().kind == DeviceKind::software && turn % 3 != 0 && !test::long_run()) {
      continue;
    }
    Scanner<T> scanner(test::device(), options);
    EXPECT_EQ(scanner.plan().method(), options.method);
    EXPECT_EQ(scanner.plan().passes(), options.passes);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      // The largest input only with some of the options.
      if (inputs[i].size() > 100000 && (number + i) % 4 != 0 && !test::long_run()) {
        continue;
      }
      test::ScanPlaces places;
      places.first_in = (i + number) % 5;
      places.first_out = (i + number / 2) % 3 == 0 ? places.first_in : (3 * i + number) % 7;
      places.in_place = (i + number) % 3 == 1;
      const std::string where = words(options, inputs[i].size(), places);
      const auto results = scanner(inputs[i], places);
      ASSERT_NO_FATAL_FAILURE(test::expect_scan<T>(inputs[i], results, options.op, options.exclusive,
                                                   scanner.plan().error_bound(inputs[i].size()), where));
    }
  }
}

}  // namespace
}  // namespace crosslane
