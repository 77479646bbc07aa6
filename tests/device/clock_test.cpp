#include <gtest/gtest.h>
#include <vector>

#include "device/vulkan/timestamps.hpp"

namespace crosslane::vulkan {
namespace {

std::vector<double> milliseconds_of(const std::vector<std::uint64_t>& ticks, std::uint32_t bits, double period) {
  return milliseconds(ticks, bits, period);
}

TEST(Clock, CountsFromTheFirstValue) {
  EXPECT_EQ(milliseconds_of({1'000'000, 1'500'000, 4'000'000}, 64, 1.0), (std::vector{0.0, 0.5, 3.0}));
  EXPECT_EQ(milliseconds_of({10, 20}, 64, 1e5), (std::vector{0.0, 1.0}));
  EXPECT_TRUE(milliseconds_of({}, 64, 1.0).empty());
}

TEST(Clock, KeepsNanosecondsHoweverLateTheyAre) {
  constexpr std::uint64_t late = 1'800'000'000'000'000'000;  // nanoseconds of 57 years
  EXPECT_EQ(milliseconds_of({late, late + 1}, 64, 1.0)[1], 1e-6);
}

TEST(Clock, SurvivesWrappingAround) {
  constexpr std::uint64_t highest36 = (std::uint64_t{1} << 36U) - 1;
  EXPECT_EQ(milliseconds_of({highest36 - 999'999, 0, 1'000'000}, 36, 1.0), (std::vector{0.0, 1.0, 2.0}));
  EXPECT_EQ(milliseconds_of({~std::uint64_t{0}, 999'999}, 64, 1.0)[1], 1.0);
}

TEST(Clock, BitsThatAreNotValidDoNotCount) {
  EXPECT_EQ(milliseconds_of({0xF000000000000000, 1'000'000}, 40, 1.0)[1], 1.0);
}

TEST(Clock, MayStepBackALittle) { EXPECT_EQ(milliseconds_of({2'000'000, 1'000'000}, 36, 1.0)[1], -1.0); }

}  // namespace
}  // namespace crosslane::vulkan
