// What `crosslane --version` says.
#pragma once

#include <string>

namespace crosslane::cli {

/// The version alone: "0.1.0".
std::string version();

/// The version and what the program was built with, several lines without a newline at the end.
std::string version_text();

}  // namespace crosslane::cli
