#include "report/error_text.hpp"

#include <gtest/gtest.h>

namespace crosslane::report {
namespace {

TEST(ErrorText, PutsEachReasonOnALineOfItsOwn) {
  EXPECT_EQ(text(Error{ErrorCode::device, "no device: install a driver", {}}), "no device: install a driver");
  EXPECT_EQ(text(Error{ErrorCode::device, "outer", {"middle", "inner"}}), "outer\n  middle\n  inner");
}

TEST(ErrorText, NamesEveryCode) {
  EXPECT_EQ(name(ErrorCode::invalid_argument), "invalid_argument");
  EXPECT_EQ(name(ErrorCode::invalid_input), "invalid_input");
  EXPECT_EQ(name(ErrorCode::unsupported), "unsupported");
  EXPECT_EQ(name(ErrorCode::device), "device");
  EXPECT_EQ(name(ErrorCode::compiler), "compiler");
}

}  // namespace
}  // namespace crosslane::report
