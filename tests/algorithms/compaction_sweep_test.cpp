// Compactions of all kinds of elements, selections, outputs, methods and passes, at the sizes where something changes.
// Where arrays begin and whether rejected elements are wanted go round with the sizes, so that pairs of them meet; on
// software drivers methods go round with selections.
// CROSSLANE_LONG_TESTS=1 makes the sweep long.
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/compaction_plan.hpp"
#include "algorithms/run_compaction.hpp"
#include "algorithms/run_reduction.hpp"
#include "algorithms/slow_device.hpp"
#include "support/sweep.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::Block;
using test::Compactor;
using test::Index;

template <typename T>
std::vector<T> random_elements(std::size_t count) {
  if constexpr (std::is_same_v<T, Block>) {
    const auto words = test::random_values<std::uint32_t>(4 * count);
    std::vector<Block> blocks(count);
    std::memcpy(blocks.data(), words.data(), count * sizeof(Block));
    return blocks;
  } else {
    return test::random_values<T>(count);
  }
}

std::vector<std::size_t> sizes(std::size_t element_bytes) {
  const std::size_t wave = test::device().info().wave_sizes.standard;
  const std::size_t group = CROSSLANE_COMPACT_THREADS;
  const std::size_t tile = compaction_tile(element_bytes);
  std::vector<std::size_t> all = {0,         1,     wave - 1, wave,     wave + 1, group - 1,
                                  group + 1, group, tile - 1, tile + 1, tile,     3 * tile + 1};
  if (!test::is_slow()) {
    all.insert(all.end(), {65537, 1000003});
  }
  return all;
}

/// What is kept, and for which elements that holds.
template <typename T>
struct Rule {
  std::string name;
  Selection selection = ByFlags{};
  std::function<bool(T)> keeps = {};  ///< nothing for flags
};

template <typename T>
std::vector<Rule<T>> rules() {
  std::vector<Rule<T>> all = {{"by flags", ByFlags{}}};
  if constexpr (std::is_arithmetic_v<T>) {
    const T middle = std::is_unsigned_v<T> ? std::numeric_limits<T>::max() / 2 : T{0};
    all.push_back({"above the middle", ByComparison::of(Comparison::greater, middle), [=](T v) { return v > middle; }});
    all.push_back({"not 0", ByComparison::of(Comparison::not_equal, T{0}), [](T v) { return v != T{0}; }});
  }
  return all;
}

/// One array, its flags, and where they lie.
template <typename T>
struct Input {
  std::vector<T> values;
  std::vector<std::uint32_t> flags;

  explicit Input(std::size_t size)
      : values(random_elements<T>(size)), flags(test::random_values<std::uint32_t>(size, 3)) {
    for (std::size_t i = 0; i < size; ++i) {
      flags[i] &= 0x10U;
      if (i % 3 == 1) {
        values[i] = T{};
      }
    }
  }

  [[nodiscard]] std::vector<bool> kept(const Rule<T>& rule) const {
    std::vector<bool> kept;
    for (std::size_t i = 0; i < values.size(); ++i) {
      kept.push_back(rule.keeps ? rule.keeps(values[i]) : flags[i] != 0);
    }
    return kept;
  }
};

/// Runs one plan on all inputs.
template <typename T, typename Output>
void sweep(const std::vector<Input<T>>& inputs, const Rule<T>& rule, Method method, Passes passes, std::size_t number) {
  CompactionOptions options;
  options.selection = rule.selection;
  options.method = method;
  options.passes = passes;
  Compactor<T, Output> compactor(test::device(), options);
  EXPECT_EQ(compactor.plan().method(), method);
  EXPECT_EQ(compactor.plan().passes(), passes);
  for (const Input<T>& input : inputs) {
    ++number;
    const std::size_t size = input.values.size();
    // The largest input only with some of the plans.
    if (size > 100000 && number % 4 != 0 && !test::long_run()) {
      continue;
    }
    const test::CompactionPlaces places{.first_in = number % 5,
                                        .first_flags = number % 3 == 0 ? number % 5 : number % 7,
                                        .first_out = number % 4,
                                        .partition = number % 2 == 0};
    const auto flags = std::span<const std::uint32_t>(input.flags).first(rule.keeps ? 0 : size);
    const auto expected = test::compact_exactly<T, Output>(input.values, input.kept(rule));
    ASSERT_NO_FATAL_FAILURE(
        test::expect_compacted(compactor(input.values, flags, places), expected, places.partition,
                               fmt::format("{} elements {} by {} in {} to {}", size, rule.name, name(method),
                                           passes == Passes::one ? "one pass" : "several passes",
                                           std::is_same_v<Output, Index> ? "indices" : "elements")));
  }
}

template <typename T>
class CompactionSweep : public testing::Test {};
using ElementTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double, Block>;
TYPED_TEST_SUITE(CompactionSweep, ElementTypes);

TYPED_TEST(CompactionSweep, EverySizeSelectionOutputMethodAndNumberOfPasses) {
  using T = TypeParam;
  std::vector<Input<T>> inputs;
  for (const std::size_t size : sizes(sizeof(T))) {
    inputs.emplace_back(size);
  }
  std::size_t number = 0;
  for (const Rule<T>& rule : rules<T>()) {
    for (const Method method : all_methods) {
      for (const Passes passes : test::all_passes()) {
        // A software driver takes seconds to compile each variant: there methods go round with the rules.
        if (test::device().info().kind == DeviceKind::software && ++number % 3 != 0 && !test::long_run()) {
          continue;
        }
        ASSERT_NO_FATAL_FAILURE((sweep<T, T>(inputs, rule, method, passes, number)));
        ASSERT_NO_FATAL_FAILURE((sweep<T, Index>(inputs, rule, method, passes, ++number)));
      }
    }
  }
}

}  // namespace
}  // namespace crosslane
