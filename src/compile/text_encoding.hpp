// UTF-8 to and from wide strings, without the process's locale: the compiler takes its arguments wide.
#pragma once

#include <string>
#include <string_view>

namespace crosslane::compile {

/// Bytes that are no UTF-8 become U+FFFD.
std::wstring to_wide(std::string_view text);
std::string to_utf8(std::wstring_view text);

}  // namespace crosslane::compile
