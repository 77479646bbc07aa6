#include "compile/text_encoding.hpp"

#include <gtest/gtest.h>

namespace crosslane::compile {
namespace {

TEST(TextEncoding, AllLengthsOfUtf8GoBothWays) {
  const std::string narrow = "aé€😀z";
  const std::wstring wide = L"aé€😀z";
  EXPECT_EQ(to_wide(narrow), wide);
  EXPECT_EQ(to_utf8(wide), narrow);
  EXPECT_EQ(to_wide(""), L"");
  EXPECT_EQ(to_utf8(L""), "");
}

TEST(TextEncoding, EveryCodePointGoesBothWays) {
  for (std::uint32_t code = 1; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) {
      continue;
    }
    const std::wstring wide(1, static_cast<wchar_t>(code));
    ASSERT_EQ(to_wide(to_utf8(wide)), wide) << code;
  }
}

TEST(TextEncoding, MalformedBytesAreReplaced) {
  EXPECT_EQ(to_wide("a\xFFz"), L"a\xFFFDz");
  EXPECT_EQ(to_wide("\x80"), L"\xFFFD");
  EXPECT_EQ(to_wide("\xE2\x82"), L"\xFFFD");          // ends too early
  EXPECT_EQ(to_wide("\xC0\x80"), L"\xFFFD");          // longer than need be
  EXPECT_EQ(to_wide("\xED\xA0\x80"), L"\xFFFD");      // half of a UTF-16 pair
  EXPECT_EQ(to_wide("\xF4\x90\x80\x80"), L"\xFFFD");  // beyond the last code point
  EXPECT_EQ(to_utf8(std::wstring(1, static_cast<wchar_t>(0xD800))), "\xEF\xBF\xBD");
}

TEST(SourceText, PlainTextStaysAsItIs) {
  EXPECT_EQ(source_text("float x; // größe"), "float x; // größe");
  EXPECT_EQ(source_text(""), "");
}

TEST(SourceText, AByteOrderMarkIsRemoved) { EXPECT_EQ(source_text("\xEF\xBB\xBFuint x;"), "uint x;"); }

TEST(SourceText, Utf16OfBothOrdersBecomesUtf8) {
  using namespace std::string_literals;
  EXPECT_EQ(source_text("\xFF\xFE"
                        "a\0\x3D\xD8\x00\xDE"
                        "z\0"s),
            "a😀z");
  EXPECT_EQ(source_text("\xFE\xFF"
                        "\0a\xD8\x3D\xDE\x00"
                        "\0z"s),
            "a😀z");
  EXPECT_EQ(source_text("\xFF\xFE"
                        "a\0b"s),
            "a")
      << "half a unit at the end";
  EXPECT_EQ(source_text("\xFF\xFE\x00\xD8"
                        "a\0"s),
            "\xEF\xBF\xBD"
            "a")
      << "half a pair";
}

}  // namespace
}  // namespace crosslane::compile
