#include "cli/output_file.hpp"

#include <fmt/format.h>

#include <system_error>

#include "cli/temporary_file.hpp"

namespace crosslane::cli {

Expected<void> check_output(const std::filesystem::path& path, bool force) {
  if (path.empty()) {
    return fail(ErrorCode::invalid_argument,
                "the name of the output file is empty: name an .npy file (a shell variable may be unset)");
  }
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: there is no folder {}: make it first", path.string(), folder.string()));
  }
  if (std::filesystem::is_directory(path, ignored)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: this is a directory: name an .npy file in it", path.string()));
  }
  if (auto replaceable = check_replaceable(path); !replaceable) {
    return replaceable;
  }
  if (!force && std::filesystem::exists(path, ignored)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: there is such a file already: choose another name, or overwrite it with --force",
                            path.string()));
  }
  return {};
}

}  // namespace crosslane::cli
