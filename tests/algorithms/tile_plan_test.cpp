#include "algorithms/tile_plan.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/planned_device.hpp"

namespace crosslane {
namespace {

using test::device_of;

constexpr std::uint64_t tile = 2048;

struct PlanCase {
  std::uint64_t binding_bytes;
  std::uint64_t alignment;
  std::uint64_t bytes_a;
  std::uint64_t bytes_b;
  std::uint32_t groups;
};

class TilePlan : public testing::TestWithParam<PlanCase> {};

// Every element of both arrays once, in order, inside what the bindings show, and no dispatch larger than the limits.
TEST_P(TilePlan, CoversEveryElementOnceInOrder) {
  const auto [binding_bytes, alignment, bytes_a, bytes_b, groups] = GetParam();
  const DeviceInfo device = device_of(binding_bytes, alignment, groups);
  const std::uint64_t vector = 16 / bytes_a;
  for (const std::uint64_t first_a : {0U, 1U, 2U, 3U, 5U, 63U, 65U}) {
    for (const std::uint64_t first_b : {0U, 1U, 4U, 67U}) {
      for (const std::uint64_t count : {1U, 3U, 16U, 255U, 4099U, 70001U}) {
        const std::array arrays = {TiledArray{first_a * bytes_a, bytes_a}, TiledArray{first_b * bytes_b, bytes_b}};
        const std::array firsts = {first_a, first_b};
        std::uint64_t done = 0;
        std::uint32_t number = 0;
        for (const TiledDispatch& dispatch : plan_tiles(device, arrays, tile, count)) {
          const auto& part = dispatch.part;
          ASSERT_EQ(part.carried, number++);
          ASSERT_EQ(part.count.done_low, done);
          ASSERT_EQ(part.count.done_high, 0U);
          ASSERT_LT(part.begin, part.end);
          ASSERT_LT(part.begin, vector);
          ASSERT_EQ(dispatch.views.size(), 2U);
          for (std::size_t i = 0; i < arrays.size(); ++i) {
            const ArrayView& view = dispatch.views[i];
            const std::uint64_t size = arrays[i].element_bytes;
            ASSERT_EQ(view.offset % alignment, 0U);
            ASSERT_LE(view.bytes, binding_bytes);
            const std::uint32_t begin = view.first + part.begin;
            ASSERT_EQ(view.offset / size + begin, firsts[i] + done) << "array " << i;
            ASSERT_EQ(std::uint64_t{view.first + part.end} * size, view.bytes);
            ASSERT_EQ(view.vectors, view.first % vector == 0) << "array " << i;
          }
          ASSERT_TRUE(dispatch.views[0].vectors);
          ASSERT_EQ(dispatch.views[0].first * bytes_a % 16, 0U);
          ASSERT_EQ(part.groups, (part.end + tile - 1) / tile);
          ASSERT_LE(part.groups, std::min<std::uint32_t>(groups, CROSSLANE_MAX_TILES));
          done += part.end - part.begin;
        }
        ASSERT_EQ(done, count);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, TilePlan,
                         testing::Values(PlanCase{1U << 27U, 16, 4, 4, 65535}, PlanCase{1U << 27U, 256, 8, 4, 65535},
                                         PlanCase{4096, 16, 4, 4, 65535}, PlanCase{4096, 64, 8, 8, 65535},
                                         PlanCase{4096, 16, 16, 4, 65535}, PlanCase{1U << 27U, 4, 4, 4, 3},
                                         PlanCase{1U << 20U, 64, 8, 4, 2}));

std::vector<TiledDispatch> plan_one(const DeviceInfo& device, std::uint64_t count) {
  const TiledArray array{0, 4};
  return plan_tiles(device, {&array, 1}, tile, count);
}

TEST(TilePlan, NeedsNoTicketsWhereAllGroupsRunAtOnce) {
  DeviceInfo device = device_of(1U << 27U, 16);
  EXPECT_EQ(plan_one(device, 100).at(0).part.tickets, 0U) << "one does";
  EXPECT_EQ(plan_one(device, tile + 1).at(0).part.tickets, 1U) << "nobody knows how many do";
  device.processors = 2;
  EXPECT_EQ(plan_one(device, 2 * tile).at(0).part.tickets, 0U);
  EXPECT_EQ(plan_one(device, 2 * tile + 1).at(0).part.tickets, 1U);
}

TEST(TilePlan, NeedsNoTicketsWhereGroupsBeginInOrder) {
  DeviceInfo device = device_of(1U << 27U, 16);
  device.features.group_order = true;
  EXPECT_EQ(plan_one(device, 100 * tile).at(0).part.tickets, 0U);
}

TEST(TilePlan, CountsPastFourGigaElements) {
  const std::uint64_t count = (std::uint64_t{1} << 32U) + 5;
  const auto parts = plan_one(device_of((std::uint64_t{1} << 32U) - 16, 16), count);
  const auto& last = parts.back().part;
  EXPECT_EQ((std::uint64_t{last.count.done_high} << 32U) + last.count.done_low + (last.end - last.begin), count);
}

TEST(TilePlan, HasNothingToDoForNoElements) { EXPECT_TRUE(plan_one(device_of(4096, 16), 0).empty()); }

}  // namespace
}  // namespace crosslane
