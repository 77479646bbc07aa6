// The text of a shader's file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "crosslane/error.hpp"

namespace crosslane::compile {

/// The file as UTF-8 text, whatever encoding its byte order mark names. Errors: `invalid_input` where it cannot be
/// read.
/// `what` is what messages ask for: "a shader", "a job".
Expected<std::string> read_source(const std::filesystem::path& file, std::string_view what = "a shader");

}  // namespace crosslane::compile
