#include "report/error_text.hpp"

#include <gtest/gtest.h>

namespace crosslane::report {
namespace {

TEST(ErrorText, PutsEachReasonOnALineOfItsOwn) {
  EXPECT_EQ(text(Error{ErrorCode::device, "no device: install a driver", {}}), "no device: install a driver");
  EXPECT_EQ(text(Error{ErrorCode::device, "outer", {"middle", "inner"}}), "outer\n  middle\n  inner");
}

TEST(ErrorText, IndentsEveryLineOfAReason) {
  EXPECT_EQ(text(Error{ErrorCode::compiler, "outer", {"one\ntwo", "three"}}), "outer\n  one\n  two\n  three");
  EXPECT_EQ(text(Error{ErrorCode::compiler, "outer", {""}}), "outer\n  ");
}

TEST(ErrorText, ShowsControlCharacters) {
  EXPECT_EQ(text(Error{ErrorCode::invalid_input, "a\x1B[2J\n.npy: bad", {"b\x1B[2J"}}),
            "a\\x1b[2J\\x0a.npy: bad\n  b\\x1b[2J");
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
