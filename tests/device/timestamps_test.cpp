#include <vector>

#include <gtest/gtest.h>

#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::device;
using test::fails;
using test::must;

TEST(Timestamps, RiseInTheOrderOfTheirCalls) {
  ASSERT_TRUE(device().info().features.timestamps);
  const auto buffer = must(device().create_buffer({1 << 20}));
  const auto list = must(device().create_command_list());
  constexpr std::uint32_t count = 150;  // more than one pool of queries
  for (std::uint32_t i = 0; i < count; ++i) {
    EXPECT_EQ(must(list->timestamp()), i);
    must(list->fill(*buffer, 0, buffer->bytes(), i));
    must(list->barrier());
  }
  must(run(device(), *list));
  const auto times = must(device().timestamps(*list));
  ASSERT_EQ(times.size(), count);
  EXPECT_EQ(times[0], 0.0);
  for (std::size_t i = 1; i < count; ++i) {
    EXPECT_GE(times[i], times[i - 1]);
  }
  EXPECT_GT(times.back(), 0.0);
  EXPECT_LT(times.back(), 600'000.0);  // not nanoseconds
}

TEST(Timestamps, AreRefusedBeforeTheWorkHasFinished) {
  const auto list = must(device().create_command_list());
  must(list->timestamp());
  EXPECT_TRUE(fails(device().timestamps(*list), ErrorCode::invalid_argument, "wait for it first"));
  must(run(device(), *list));
  EXPECT_EQ(must(device().timestamps(*list)), std::vector<double>{0.0});
}

}  // namespace
}  // namespace crosslane
