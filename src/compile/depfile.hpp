// The list of files that an output was made of, as Make and Ninja read it.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace crosslane::compile {

/// "output: source header…", escaped as GNU Make asks for.
std::string depfile(const std::filesystem::path& output, std::span<const std::filesystem::path> dependencies);

}  // namespace crosslane::compile
