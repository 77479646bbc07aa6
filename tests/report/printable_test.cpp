#include "report/printable.hpp"

#include <string>

#include <gtest/gtest.h>

namespace crosslane::report {
namespace {

using namespace std::string_literals;

TEST(Printable, LeavesTextAsItIs) {
  for (const char* const text : {"", "a.npy", R"(C:\new "one")", "naïve/µ/€/日本/😀.npy", "\xC2\xA0", "\xED\x9F\xBF",
                                 "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ShowsControlCharacters) {
  EXPECT_EQ(printable("a\x1B[31mred\x07"), R"(a\x1b[31mred\x07)");
  EXPECT_EQ(printable("a\nb\r\tc"), R"(a\x0ab\x0d\x09c)");
  EXPECT_EQ(printable("\x7F"), R"(\x7f)");
  EXPECT_EQ(printable("a\0b"s), R"(a\x00b)");
  EXPECT_EQ(printable("\xC2\x80 \xC2\x9B"
                      "31m \xC2\x9F"),
            R"(\xc2\x80 \xc2\x9b31m \xc2\x9f)")
      << "C1, as UTF-8";
}

TEST(Printable, ShowsEveryControlCharacter) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    const bool shown = byte >= 0x20 && byte < 0x7F;
    EXPECT_EQ(printable(text).size(), shown ? 1U : 4U) << byte;
  }
}

TEST(Printable, ShowsBytesThatAreNoText) {
  EXPECT_EQ(printable("a\xFF"
                      "b"),
            R"(a\xffb)");
  EXPECT_EQ(printable("\x9B"
                      "31m"),
            R"(\x9b31m)")
      << "C1, as Latin-1";
  EXPECT_EQ(printable("\xE2\x82"), R"(\xe2\x82)") << "cut short";
  EXPECT_EQ(printable("\xE2\x82x"), R"(\xe2\x82x)");
  EXPECT_EQ(printable("\xC0\x9B"), R"(\xc0\x9b)") << "escape, longer than needed";
  EXPECT_EQ(printable("\xE0\x80\x9B"), R"(\xe0\x80\x9b)");
  EXPECT_EQ(printable("\xED\xA0\x80"), R"(\xed\xa0\x80)") << "a surrogate";
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), R"(\xf4\x90\x80\x80)") << "beyond the last character";
}

}  // namespace
}  // namespace crosslane::report
