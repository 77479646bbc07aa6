// "20%" on the command line.
#pragma once

#include <string>
#include <string_view>

#include "crosslane/error.hpp"

namespace crosslane::cli {

/// "20%", "20 %" and "0.2" are 0.2. Errors: `invalid_argument` that names the flag, for what is no number, less than
/// nothing or more than 1000 %.
Expected<double> parse_percent(std::string_view flag, const std::string& text);

}  // namespace crosslane::cli
