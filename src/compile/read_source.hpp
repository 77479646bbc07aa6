// The text of a shader's file.
#pragma once

#include <filesystem>
#include <string>

#include "crosslane/error.hpp"

namespace crosslane::compile {

/// The file as UTF-8 text, whatever encoding its byte order mark names. Errors: `invalid_input` where it cannot be
/// read.
Expected<std::string> read_source(const std::filesystem::path& file);

}  // namespace crosslane::compile
