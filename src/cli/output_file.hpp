// Files that verbs write.
#pragma once

#include <filesystem>

#include "crosslane/error.hpp"

namespace crosslane::cli {

/// Errors: `invalid_argument` for a file that is there already, unless `force`; for a directory and other things that
/// are no regular files, an empty name, and a folder that is not there.
Expected<void> check_output(const std::filesystem::path& path, bool force);

}  // namespace crosslane::cli
