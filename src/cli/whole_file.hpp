// Files that are written at once.
#pragma once

#include <filesystem>
#include <string_view>

#include "cli/output_file.hpp"
#include "crosslane/error.hpp"

namespace crosslane::cli {

/// Writes the bytes as a file of that name, whole or not at all; a file that is there is replaced. Errors: those of
/// TemporaryFile; `invalid_argument` where there is no room.
Expected<void> write_whole(const std::filesystem::path& path, std::string_view bytes, const FileKind& kind = npy_files);

}  // namespace crosslane::cli
