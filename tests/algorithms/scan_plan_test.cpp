#include "algorithms/scan_plan.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/planned_device.hpp"

namespace crosslane {
namespace {

using test::device_of;

struct PlanCase {
  std::uint64_t binding_bytes;
  std::uint64_t alignment;
  std::uint64_t element_bytes;
  std::uint32_t groups;
};

class ScanPlan : public testing::TestWithParam<PlanCase> {};

// Every element once, in order, inside what the bindings show, and no dispatch larger than the limits.
TEST_P(ScanPlan, CoversEveryElementOnceInOrder) {
  const auto [binding_bytes, alignment, element_bytes, groups] = GetParam();
  const DeviceInfo device = device_of(binding_bytes, alignment, groups);
  const std::uint64_t tile = scan_tile(element_bytes);
  for (const std::uint64_t first_in : {0U, 1U, 2U, 3U, 5U, 63U, 65U}) {
    for (const std::uint64_t first_out : {0U, 1U, 4U, 67U}) {
      for (const std::uint64_t count : {1U, 3U, 16U, 255U, 4099U, 70001U}) {
        std::uint64_t done = 0;
        for (const ScanDispatch& part :
             plan_scan(device, element_bytes, first_in * element_bytes, first_out * element_bytes, count)) {
          const auto& params = part.params;
          ASSERT_EQ(part.input_offset % alignment, 0U);
          ASSERT_EQ(part.output_offset % alignment, 0U);
          ASSERT_LE(part.input_bytes, binding_bytes);
          ASSERT_LE(part.output_bytes, binding_bytes);
          ASSERT_EQ(params.carry_in, done == 0 ? 0U : 1U);
          ASSERT_EQ(params.done_low, done);
          ASSERT_EQ(params.done_high, 0U);
          ASSERT_LT(params.begin, params.end);
          ASSERT_EQ(part.input_offset / element_bytes + params.input_first + params.begin, first_in + done);
          ASSERT_EQ(part.output_offset / element_bytes + params.output_first + params.begin, first_out + done);
          ASSERT_EQ((params.input_first + params.end) * element_bytes, part.input_bytes);
          ASSERT_EQ((params.output_first + params.end) * element_bytes, part.output_bytes);
          if (params.vectors != 0) {
            ASSERT_EQ(std::uint64_t{params.input_vector} * 16, params.input_first * element_bytes);
            ASSERT_EQ(std::uint64_t{params.output_vector} * 16, params.output_first * element_bytes);
          }
          ASSERT_EQ(params.groups, (params.end + tile - 1) / tile);
          ASSERT_LE(params.groups, std::min<std::uint32_t>(groups, CROSSLANE_SCAN_MAX_TILES));
          done += params.end - params.begin;
        }
        ASSERT_EQ(done, count);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ScanPlan,
                         testing::Values(PlanCase{1U << 27U, 16, 4, 65535}, PlanCase{1U << 27U, 256, 8, 65535},
                                         PlanCase{4096, 16, 4, 65535}, PlanCase{4096, 64, 8, 65535},
                                         PlanCase{1U << 27U, 4, 4, 3}, PlanCase{1U << 20U, 64, 8, 2}));

TEST(ScanPlan, UsesVectorsWhereBothArraysAreAlignedAlike) {
  const DeviceInfo device = device_of(1U << 27U, 16);
  EXPECT_EQ(plan_scan(device, 4, 4, 20, 100).at(0).params.vectors, 1U);
  EXPECT_EQ(plan_scan(device, 4, 4, 8, 100).at(0).params.vectors, 0U);
}

TEST(ScanPlan, NeedsNoTicketsWhereAllGroupsRunAtOnce) {
  DeviceInfo device = device_of(1U << 27U, 16);
  EXPECT_EQ(plan_scan(device, 4, 0, 0, 100).at(0).params.tickets, 0U) << "one does";
  EXPECT_EQ(plan_scan(device, 4, 0, 0, scan_tile(4) + 1).at(0).params.tickets, 1U) << "nobody knows how many do";
  device.processors = 2;
  EXPECT_EQ(plan_scan(device, 4, 0, 0, 2 * scan_tile(4)).at(0).params.tickets, 0U);
  EXPECT_EQ(plan_scan(device, 4, 0, 0, 2 * scan_tile(4) + 1).at(0).params.tickets, 1U);
}

TEST(ScanPlan, CountsPastFourGigaElements) {
  const std::uint64_t count = (std::uint64_t{1} << 32U) + 5;
  const auto parts = plan_scan(device_of((std::uint64_t{1} << 32U) - 16, 16), 4, 0, 0, count);
  const auto& last = parts.back().params;
  EXPECT_EQ((std::uint64_t{last.done_high} << 32U) + last.done_low + (last.end - last.begin), count);
}

TEST(ScanPlan, NamesTheKernels) {
  EXPECT_EQ(scan_kernel_name(ScalarType::i32, Operator::sum, Method::shuffle, true), "scan.shuffle.u32.sum.packed");
  EXPECT_EQ(scan_kernel_name(ScalarType::i64, Operator::minimum, Method::groupshared, false),
            "scan.groupshared.i64.min");
}

}  // namespace
}  // namespace crosslane
