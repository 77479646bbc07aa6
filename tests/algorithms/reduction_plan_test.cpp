#include "algorithms/reduction_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/planned_device.hpp"

namespace crosslane {
namespace {

using test::device_of;

struct PlanCase {
  std::uint64_t binding_bytes;
  std::uint64_t alignment;
  std::uint64_t element_bytes;
};

class ReductionPlan : public testing::TestWithParam<PlanCase> {};

// Marks what the kernel would read: every element once, none outside the range or the binding.
TEST_P(ReductionPlan, ReadsEveryElementOnce) {
  const std::uint64_t binding_bytes = GetParam().binding_bytes;
  const std::uint64_t alignment = GetParam().alignment;
  const std::uint64_t element_bytes = GetParam().element_bytes;
  const DeviceInfo device = device_of(binding_bytes, alignment);
  for (const std::uint64_t first : {0U, 1U, 2U, 3U, 5U, 63U, 64U, 65U}) {
    for (const std::uint64_t count : {1U, 2U, 3U, 4U, 7U, 15U, 16U, 17U, 255U, 256U, 1000U, 4099U}) {
      std::vector<int> reads(first + count + 1, 0);
      const auto read = [&](const ReduceDispatch& part, std::uint64_t byte) {
        ASSERT_LT(byte, part.input_bytes);
        ++reads.at((part.input_offset + byte) / element_bytes);
      };
      for (const ReduceDispatch& part : plan_reduce(device, element_bytes, first * element_bytes, count)) {
        ASSERT_EQ(part.input_offset % alignment, 0U);
        ASSERT_LE(part.input_bytes, binding_bytes);
        ASSERT_GE(part.params.groups, 1U);
        for (std::uint64_t i = 0; i < part.params.head_count; ++i) {
          read(part, (part.params.head_first + i) * element_bytes);
        }
        for (std::uint64_t i = 0; i < part.params.vector_count * (16 / element_bytes); ++i) {
          read(part, part.params.vector_first * std::uint64_t{16} + i * element_bytes);
        }
        for (std::uint64_t i = 0; i < part.params.tail_count; ++i) {
          read(part, (part.params.tail_first + i) * element_bytes);
        }
        // One thread each of group 0 reads the head and the tail.
        ASSERT_LE(part.params.head_count, CROSSLANE_REDUCE_THREADS);
        ASSERT_LE(part.params.tail_count, CROSSLANE_REDUCE_THREADS);
      }
      for (std::uint64_t i = 0; i < reads.size(); ++i) {
        ASSERT_EQ(reads[i], i >= first && i < first + count ? 1 : 0)
            << "element " << i << " of " << first << "+" << count;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Limits, ReductionPlan,
                         testing::Values(PlanCase{1 << 27, 16, 4}, PlanCase{1 << 27, 4, 8}, PlanCase{1024, 16, 4},
                                         PlanCase{1024, 64, 4}, PlanCase{1000, 256, 8}, PlanCase{512, 256, 4}));

TEST(ReductionPlan, CarriesFromPartToPart) {
  const auto parts = plan_reduce(device_of(1024, 16), 4, 0, 1000);
  ASSERT_EQ(parts.size(), 4U);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].params.carry_in, i == 0 ? 0U : 1U);
    EXPECT_EQ(parts[i].params.carry_out, i == 3 ? 0U : 1U);
  }
}

TEST(ReductionPlan, CountsInThirtyTwoBitsUpToTheLargestInput) {
  const std::uint64_t count = std::uint64_t{1} << 32U;
  for (const std::uint64_t binding : {std::uint64_t{1} << 27U, (std::uint64_t{1} << 32U) - 1, ~std::uint64_t{0}}) {
    for (const std::uint64_t element_bytes : {4U, 8U}) {
      std::uint64_t elements = 0;
      for (const ReduceDispatch& part : plan_reduce(device_of(binding, 16), element_bytes, 0, count)) {
        elements += part.params.head_count + part.params.tail_count + part.params.vector_count * (16 / element_bytes);
      }
      EXPECT_EQ(elements, count);
    }
  }
}

TEST(ReductionPlan, KeepsToTheGroupLimit) {
  for (const ReduceDispatch& part : plan_reduce(device_of(1U << 27U, 16, 3), 4, 0, 1U << 24U)) {
    EXPECT_LE(part.params.groups, 3U);
  }
}

TEST(ReductionPlan, SharesTheTilesOutEvenly) {
  DeviceInfo device = device_of(std::uint64_t{1} << 32U, 16);
  device.processors = 132;
  EXPECT_EQ(plan_reduce(device, 4, 0, 1U << 24U).at(0).params.groups, 256U);  // four tiles each
  EXPECT_EQ(plan_reduce(device, 4, 0, 1U << 28U).at(0).params.groups, 261U);  // 63 tiles each, the last few 62
  EXPECT_EQ(plan_reduce(device, 4, 0, 1).at(0).params.groups, 1U);
}

// The blocks that each level makes of its input, in order, whatever parts they are computed in.
std::vector<std::uint64_t> block_starts(const DeviceLimits& limits, std::uint64_t first, std::uint64_t count,
                                        std::uint32_t level) {
  std::vector<std::uint64_t> starts;
  for (const ReproducibleDispatch& part : plan_reproducible(limits, 4, first * 4, count)) {
    if (part.level == level) {
      EXPECT_LE(part.input_bytes, limits.binding_bytes);
      EXPECT_EQ(part.output_offset / 4 + part.params.output_element, part.params.finish != 0 ? 0 : starts.size());
      for (std::uint64_t block = 0; block < part.params.blocks; ++block) {
        starts.push_back(part.input_offset / 4 + part.params.first + block * reproducible_block);
      }
    }
  }
  return starts;
}

TEST(ReproduciblePlan, HasOneShapeForEveryLimit) {
  for (const std::uint64_t count :
       {std::uint64_t{1}, reproducible_block - 1, reproducible_block, reproducible_block + 1,
        10 * reproducible_block + 77, 5000 * reproducible_block + 1}) {
    for (std::uint32_t level = 0; level < 3; ++level) {
      const auto expected = block_starts(device_of(std::uint64_t{1} << 40U, 16).limits, 3, count, level);
      EXPECT_EQ(block_starts(device_of(1U << 16U, 64, 2).limits, 3, count, level), expected);
      if (level == 0) {
        EXPECT_EQ(expected.size(), (count + reproducible_block - 1) / reproducible_block);
      }
    }
  }
}

TEST(ReproduciblePlan, EndsWithOneResult) {
  for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{4097}, std::uint64_t{1} << 32U}) {
    const auto parts = plan_reproducible(device_of(1U << 27U, 16).limits, 4, 0, count);
    EXPECT_EQ(parts.back().params.finish, 1U);
    EXPECT_EQ(parts.back().params.blocks, 1U);
    EXPECT_EQ(std::ranges::count_if(parts, [](const auto& part) { return part.params.finish != 0; }), 1);
  }
}

TEST(ReduceKernelName, SharesKernelsWhereTheSignDoesNotMatter) {
  EXPECT_EQ(reduce_kernel_name(ScalarType::i32, Operator::sum, Method::shuffle), "reduce.u32.sum.shuffle");
  EXPECT_EQ(reduce_kernel_name(ScalarType::i64, Operator::bit_xor, Method::groupshared), "reduce.u64.xor.groupshared");
  EXPECT_EQ(reduce_kernel_name(ScalarType::i32, Operator::minimum, Method::shuffle), "reduce.i32.min.shuffle");
  EXPECT_EQ(reduce_kernel_name(ScalarType::f64, Operator::maximum, Method::wave_intrinsics),
            "reduce.f64.max.wave_intrinsics");
}

TEST(LongestChain, IsBetweenTheTreeAndOneAfterTheOther) {
  const DeviceInfo device = device_of(1U << 27U, 16);
  for (const Method method : all_methods) {
    for (const std::uint32_t wave_size : {1U, 4U, 32U, 128U}) {
      EXPECT_EQ(longest_chain(device, ScalarType::f32, 1, false, method, wave_size), 0U);
      const std::uint64_t chain = longest_chain(device, ScalarType::f32, 1U << 24U, false, method, wave_size);
      EXPECT_GE(chain, 24U);
      EXPECT_LT(chain, 2000U);
    }
  }
  EXPECT_EQ(longest_chain(device, ScalarType::f32, 4096, true, Method::shuffle, 32), 12U);
  EXPECT_EQ(longest_chain(device, ScalarType::f32, 4097, true, Method::shuffle, 32), 24U);
}

}  // namespace
}  // namespace crosslane
