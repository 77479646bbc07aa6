#include "report/bars.hpp"

#include <gtest/gtest.h>

namespace crosslane::report {
namespace {

TEST(Bars, AreAsLongAsTheirValues) {
  EXPECT_EQ(bars({{"a", 4.0, "4 ms"}, {"long", 2.0, "2 ms"}, {"none", 0.0, "-"}}, 4),
            "a     ████ 4 ms\n"
            "long  ██ 2 ms\n"
            "none   -\n");
}

TEST(Bars, HaveEighths) { EXPECT_EQ(bars({{"a", 8.0, "x"}, {"b", 3.0, "y"}}, 1), "a  █ x\nb  ▍ y\n"); }

TEST(Bars, OfNothingAreNothing) {
  EXPECT_EQ(bars({}), "");
  EXPECT_EQ(bars({{"a", 0.0, "0"}}), "a   0\n");
}

}  // namespace
}  // namespace crosslane::report
