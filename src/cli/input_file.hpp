// Files that verbs read.
#pragma once

#include <filesystem>

#include "cli/output_file.hpp"
#include "crosslane/error.hpp"

namespace crosslane::cli {

/// Errors: `invalid_input` for a name that is empty, and for what is no regular file; `kind` says what should be there.
Expected<void> check_input(const std::filesystem::path& path, const FileKind& kind);

}  // namespace crosslane::cli
