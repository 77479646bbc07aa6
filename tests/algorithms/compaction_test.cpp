#include "crosslane/compaction.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/compaction_plan.hpp"
#include "algorithms/limited_device.hpp"
#include "algorithms/run_compaction.hpp"
#include "algorithms/run_reduction.hpp"
#include "algorithms/slow_device.hpp"
#include "functors/functors.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::Block;
using test::compact_exactly;
using test::Compactor;
using test::Index;
using test::must;
using test::random_values;

std::vector<std::uint32_t> random_flags(std::size_t count) {
  auto flags = random_values<std::uint32_t>(count, 1);
  for (auto& flag : flags) {
    flag &= flag >> 16U;
    flag &= 3U;
  }
  return flags;
}

std::vector<bool> truths(std::span<const std::uint32_t> flags) {
  std::vector<bool> kept;
  for (const std::uint32_t flag : flags) {
    kept.push_back(flag != 0);
  }
  return kept;
}

std::vector<Block> random_blocks(std::size_t count) {
  const auto words = random_values<std::uint32_t>(4 * count);
  std::vector<Block> blocks(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(4 * i), 4, blocks[i].begin());
  }
  return blocks;
}

// Inputs, flags and outputs that no one binding shows.
class SmallBindings : public testing::TestWithParam<Passes> {
 protected:
  test::LimitedDevice device_{test::device(), 32U << 10U, 3};
};

TEST_P(SmallBindings, ManyDispatchesAndWindows) {
  const auto blocks = random_blocks(12345);
  const auto flags = random_flags(blocks.size());
  Compactor<Block> compactor(device_, {.passes = GetParam()});
  for (int time = 0; time < 2; ++time) {  // the state is clean again
    const auto result = compactor(blocks, flags, {.first_in = 3, .first_flags = 2, .first_out = 1, .partition = true});
    test::expect_compacted(result, compact_exactly<Block>(blocks, truths(flags)), true, "blocks");
  }
}

TEST_P(SmallBindings, CountsThatOnlyTheDeviceKnows) {
  const auto values = random_values<std::uint32_t>(50021);
  const auto flags = random_flags(values.size());
  Compactor<std::uint32_t> compactor(device_, {.passes = GetParam()});
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{30000}, std::uint64_t{50020},
                                    std::uint64_t{50021}, std::uint64_t{50022}, std::uint64_t{1} << 40U}) {
    const auto known = static_cast<std::size_t>(std::min<std::uint64_t>(count, values.size()));
    const auto result =
        compactor(values, flags, {.first_in = 1, .partition = true, .per_group = 64, .count_on_device = count});
    const auto expected =
        compact_exactly<std::uint32_t>(std::span(values).first(known), truths(std::span(flags).first(known)));
    test::expect_compacted(result, expected, true, fmt::format("{} elements", count));
    EXPECT_EQ(result.arguments[0], (expected.count + 63) / 64);
    EXPECT_EQ(result.arguments[1], 1U);
    EXPECT_EQ(result.arguments[2], 1U);
  }
}

INSTANTIATE_TEST_SUITE_P(BothWays, SmallBindings, testing::ValuesIn(test::all_passes()),
                         [](const auto& one) { return one.param == Passes::one ? "OnePass" : "SeveralPasses"; });

TEST(Compaction, HardestInputs) {
  const std::size_t count = 3 * compaction_tile(4) + 17;
  const auto values = random_values<std::uint32_t>(count);
  for (const Passes passes : test::all_passes()) {
    Compactor<std::uint32_t> compactor(test::device(), {.passes = passes});
    const auto check = [&](const std::string& name, const auto& flag_of) {
      std::vector<std::uint32_t> flags(count);
      for (std::size_t i = 0; i < count; ++i) {
        flags[i] = flag_of(i) ? 1 : 0;
      }
      for (const bool partition : {false, true}) {
        const auto result = compactor(values, flags, {.partition = partition});
        test::expect_compacted(result, compact_exactly<std::uint32_t>(values, truths(flags)), partition, name);
      }
    };
    check("all", [](std::size_t) { return true; });
    check("none", [](std::size_t) { return false; });
    check("alternating", [](std::size_t i) { return i % 2 == 1; });
    check("the last", [&](std::size_t i) { return i + 1 == count; });
    check("the first", [](std::size_t i) { return i == 0; });
    check("one per tile", [](std::size_t i) { return i % compaction_tile(4) == 5; });
  }
}

TEST(Compaction, ByComparisonKeepsWhatTheLanguageSays) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float denormal = std::numeric_limits<float>::denorm_min();
  std::vector<float> values = {0.0F, -0.0F, 1.0F, -1.0F, nan, -nan, denormal, -denormal, 0.5F, 2.0F};
  values.resize(700, 0.25F);
  const auto count = [&](Comparison comparison, float operand) {
    Compactor<float> compactor(test::device(), {.selection = ByComparison::of(comparison, operand)});
    return compactor(values, {}).count;
  };
  EXPECT_EQ(count(Comparison::not_equal, 0.0F), values.size() - 2) << "NaN is not 0, -0 is";
  EXPECT_EQ(count(Comparison::equal, -0.0F), 2U);
  EXPECT_EQ(count(Comparison::greater, 0.0F), values.size() - 6) << "denormals are greater than 0";
  EXPECT_EQ(count(Comparison::less, 0.0F), 2U);
  EXPECT_EQ(count(Comparison::greater_equal, 0.0F), values.size() - 4);
  EXPECT_EQ(count(Comparison::less_equal, nan), 0U);
  EXPECT_EQ(count(Comparison::not_equal, nan), values.size());
}

TEST(Compaction, ByAFunctorOfTheProgramsOwn) {
  const auto blocks = random_blocks(5003);
  std::vector<bool> kept;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    kept.push_back(i % 7 == 3 || blocks[i][2] < 0x40000000U);
  }
  for (const Method method : all_methods) {
    CompactionOptions options;
    options.method = method;
    options.selection = ByFunctor{{test::functors(), "compact.mine"}, {7, 3, 0, 0, 0x40000000U, 0, 0, 0}};
    Compactor<Block> compactor(test::device(), options);
    test::expect_compacted(compactor(blocks, {}), compact_exactly<Block>(blocks, kept), false, "elements");
    Compactor<Block, Index> indexer(test::device(), options);
    test::expect_compacted(indexer(blocks, {}, {.partition = true}), compact_exactly<Block, Index>(blocks, kept), true,
                           "indices");
  }
}

TEST(Compaction, IndicesByFlagsNeedNoElements) {
  const auto flags = random_flags(70001);
  Device& device = test::device();
  Compaction plan = must(Compaction::create(device, {.indices = true}));
  test::GuardedBuffer flag_buffer(device, 4, std::as_bytes(std::span(flags)));
  test::GuardedBuffer kept(device, 0, flags.size() * 4);
  test::GuardedBuffer count(device, 0, std::uint64_t{8});
  const auto list = must(device.create_command_list());
  must(plan.record(*list, {.flags = flag_buffer.place(), .kept = kept.place(), .count = count.place()}, flags.size()));
  must(run(device, *list));
  const auto expected = compact_exactly<std::uint32_t, Index>(flags, truths(flags));
  ASSERT_EQ(count.values<std::uint64_t>(1)[0], expected.count);
  const auto indices = kept.values<std::uint32_t>(expected.count);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    ASSERT_EQ(indices[i], expected.kept[i].value);
  }
}

// The arguments it writes start the next dispatch: a compaction of what was kept, by its own count.
TEST(Compaction, FeedsTheNextOne) {
  const auto values = random_values<std::uint32_t>(20011);
  Device& device = test::device();
  Compaction first = must(Compaction::create(device, {.selection = ByComparison::of(Comparison::less, 0x80000000U)}));
  Compaction second =
      must(Compaction::create(device, {.selection = ByComparison::of(Comparison::greater, 0x10000000U)}));
  test::GuardedBuffer input(device, 0, std::as_bytes(std::span(values)));
  test::GuardedBuffer between(device, 0, values.size() * 4);
  test::GuardedBuffer kept(device, 0, values.size() * 4);
  test::GuardedBuffer count_between(device, 0, std::uint64_t{8});
  test::GuardedBuffer count(device, 0, std::uint64_t{8});
  const auto list = must(device.create_command_list());
  must(first.record(*list, {.input = input.place(), .kept = between.place(), .count = count_between.place()},
                    values.size()));
  must(list->barrier());
  must(second.record_indirect(*list, {.input = between.place(), .kept = kept.place(), .count = count.place()},
                              count_between.place(), values.size()));
  must(run(device, *list));
  std::vector<bool> stays;
  stays.reserve(values.size());
  for (const std::uint32_t value : values) {
    stays.push_back(value < 0x80000000U && value > 0x10000000U);
  }
  const auto expected = compact_exactly<std::uint32_t>(values, stays);
  ASSERT_EQ(count.values<std::uint64_t>(1)[0], expected.count);
  EXPECT_EQ(kept.values<std::uint32_t>(expected.count), expected.kept);
}

TEST(Compaction, ArgumentsTakeTwoDimensionsWhereOneIsTooShort) {
  if (test::is_slow()) {
    GTEST_SKIP() << "200,000 elements";
  }
  const std::vector<std::uint32_t> values(200000, 1);
  Compactor<std::uint32_t> compactor(test::device(),
                                     {.selection = ByComparison::of(Comparison::equal, std::uint32_t{1})});
  const auto result = compactor(values, {}, {.per_group = 1});
  EXPECT_EQ(result.arguments[0], 65535U);
  EXPECT_EQ(result.arguments[1], 4U) << "4 * 65535 >= 200000";
  EXPECT_EQ(result.arguments[2], 1U);
}

TEST(Compaction, OfNothingCountsNothing) {
  Compactor<float> compactor(test::device(), {.selection = ByComparison::of(Comparison::not_equal, 0.0F)});
  const auto result = compactor(std::span<const float>{}, {}, {.per_group = 64});
  EXPECT_EQ(result.count, 0U);
  EXPECT_EQ(result.arguments, (std::array<std::uint32_t, 3>{0, 1, 1}));
}

TEST(Compaction, NeedsNo64BitAtomics) {
  test::LimitedDevice limited(test::device(), test::device().info().limits.binding_bytes, 65535);
  limited.features().int64_atomics = false;
  const auto values = random_values<std::uint32_t>(50021);
  const auto flags = random_flags(values.size());
  Compactor<std::uint32_t> compactor(limited, {});
  test::expect_compacted(compactor(values, flags), compact_exactly<std::uint32_t>(values, truths(flags)), false,
                         "separate state");
}

std::string refusal(const CompactionOptions& options) {
  const auto created = Compaction::create(test::device(), options);
  EXPECT_FALSE(created.has_value());
  return created ? "" : created.error().message;
}

// Whatever order and pace groups have, each finds what those before it keep.
TEST(Compaction, WithGroupsThatAreLate) {
  if (test::all_passes().front() != Passes::one) {
    GTEST_SKIP() << "no group waits for another here";
  }
  const auto values = random_values<std::uint32_t>(test::is_slow() ? 60021 : 1000003);
  std::vector<bool> kept;
  kept.reserve(values.size());
  for (const std::uint32_t value : values) {
    kept.push_back(value <= 0x7FFFFFFFU);
  }
  const auto expected = compact_exactly<std::uint32_t>(values, kept);
  for (const bool ordered : {true, false}) {  // tiles by the groups' numbers, and handed out
    test::LimitedDevice device(test::device(), test::device().info().limits.binding_bytes, 65535);
    device.features().group_order = device.features().group_order && ordered;
    for (const Method method : {Method::groupshared, Method::shuffle}) {
      Compactor<std::uint32_t> compactor(
          device, {.selection = ByFunctor{{test::functors(), "compact.delayed"}, {0, 0, 0x7FFFFFFFU, 0}},
                   .method = method,
                   .passes = Passes::one});
      const int times = test::extent(test::is_slow() ? 2 : 5, 200);
      for (int time = 0; time < times; ++time) {
        const auto result = compactor(values, {}, {.partition = true});
        test::expect_compacted(result, expected, true,
                               fmt::format("{}, {}, run {}", name(method), ordered ? "by number" : "handed out", time));
      }
    }
  }
}

TEST(Compaction, RefusesElementsThatItDoesNotKnow) {
  EXPECT_EQ(refusal({.element_bytes = 12}), "elements of 12 bytes cannot be compacted: only those of 4, 8 or 16 bytes");
  EXPECT_EQ(refusal({.element_bytes = 8, .selection = ByComparison::of(Comparison::less, 1.0F)}),
            "elements of 8 bytes are no f32: say element_bytes = 4");
  EXPECT_EQ(refusal({.selection = ByFunctor{{test::functors(), "compact.yours"}, {}},
                     .method = Method::groupshared,
                     .passes = Passes::several}),
            "the program's own kernels lack 'compact.yours.groupshared': compile it too");
}

class CompactionRanges : public testing::Test {
 protected:
  Device& device_ = test::device();
  Compaction plan_ = must(Compaction::create(device_, {}));
  std::unique_ptr<Buffer> buffer_ = must(device_.create_buffer({400, MemoryKind::device}));
  std::unique_ptr<Buffer> other_ = must(device_.create_buffer({800, MemoryKind::device}));
  std::unique_ptr<CommandList> list_ = must(device_.create_command_list());

  // 50 elements and flags in the one buffer, outputs in the other.
  CompactionArrays arrays() {
    return {.input = {buffer_.get(), 0},
            .flags = {buffer_.get(), 200},
            .kept = {other_.get(), 0},
            .rejected = {other_.get(), 200},
            .count = {other_.get(), 400}};
  }

  std::string refusal(const CompactionArrays& arrays, std::uint64_t count = 50) {
    const auto recorded = plan_.record(*list_, arrays, count);
    EXPECT_FALSE(recorded.has_value());
    return recorded ? "" : recorded.error().message;
  }
};

TEST_F(CompactionRanges, AreTakenWhereTheyAreRight) { EXPECT_TRUE(plan_.record(*list_, arrays(), 50).has_value()); }

TEST_F(CompactionRanges, AreNeeded) {
  CompactionArrays none = arrays();
  none.flags = {};
  EXPECT_EQ(refusal(none), "the compaction's 'flags' is nowhere: name a buffer");
  none = arrays();
  none.count = {};
  EXPECT_EQ(refusal(none), "the compaction's 'count' is nowhere: name a buffer");
  EXPECT_EQ(plan_.record_indirect(*list_, arrays(), {}, 50).error().message,
            "the count of elements is nowhere: name a buffer");
}

TEST_F(CompactionRanges, DoNotOverlap) {
  CompactionArrays over = arrays();
  over.rejected.offset = 196;
  EXPECT_EQ(refusal(over), "'kept' at byte 0 and 'rejected' at byte 196 overlap: give them ranges of their own");
  over = arrays();
  over.kept = over.input;
  EXPECT_EQ(refusal(over), "'kept' at byte 0 and 'input' at byte 0 overlap: give them ranges of their own");
}

TEST_F(CompactionRanges, LieInTheirBuffers) {
  CompactionArrays outside = arrays();
  outside.flags.offset = 204;
  EXPECT_EQ(refusal(outside),
            "the flags range of 50 elements of 4 bytes from byte 204 on does not fit the buffer of 400 bytes");
  outside = arrays();
  outside.count.offset = 404;
  EXPECT_EQ(refusal(outside), "the count offset 404 is not a multiple of the element size 8");
}

TEST_F(CompactionRanges, HaveArgumentsThatTheNextDispatchCanTake) {
  CompactionArrays with = arrays();
  with.arguments = {other_.get(), 600};
  EXPECT_EQ(refusal(with), "groups that take 0 elements each cannot take 50: say a larger per_group");
  EXPECT_EQ(refusal(arrays(), (std::uint64_t{1} << 32U) + 1),
            "4294967297 elements cannot be compacted at once: no more than 2^32");
}

}  // namespace
}  // namespace crosslane
