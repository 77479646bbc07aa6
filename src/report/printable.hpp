// Text from outside (names of files, messages of drivers) made safe to show in a terminal.
#pragma once

#include <string>
#include <string_view>

namespace crosslane::report {

/// `text` on one line and without commands to a terminal: each byte of a control character (C0, delete, C1) and each
/// byte that is no UTF-8 becomes \xNN. Everything else stays as it is.
std::string printable(std::string_view text);

}  // namespace crosslane::report
