// Folders for a user's files, by the XDG Base Directory Specification.
#pragma once

#include <filesystem>

namespace crosslane::cli {

/// The folder that `variable` names, as XDG_CACHE_HOME, else `below_home`, as .cache, in HOME; empty where neither says
/// anything absolute.
std::filesystem::path user_folder(const char* variable, const char* below_home);

}  // namespace crosslane::cli
