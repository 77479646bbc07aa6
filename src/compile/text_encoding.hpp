// Text as the compiler takes it: arguments as wide strings, sources as UTF-8. Without the process's locale.
#pragma once

#include <string>
#include <string_view>

namespace crosslane::compile {

/// Bytes that are no UTF-8 become U+FFFD.
std::wstring to_wide(std::string_view text);
std::string to_utf8(std::wstring_view text);

/// A source's bytes as UTF-8: a byte order mark is removed, and decides whether they were UTF-16.
std::string source_text(std::string bytes);

}  // namespace crosslane::compile
