#include "cli/input_file.hpp"

#include <fmt/format.h>

#include <system_error>

namespace crosslane::cli {

Expected<void> check_input(const std::filesystem::path& path, const FileKind& kind) {
  const std::string name = path.string();
  if (name.empty()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("the name of the {}'s file is empty: name {} (a shell variable may be unset)",
                            kind.things.substr(0, kind.things.size() - 1), kind.file));
  }
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return fail(ErrorCode::invalid_input, fmt::format("{}: there is no such file: check the path", name));
  }
  if (error) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: cannot be read ({}): check path and permissions", name, error.message()));
  }
  if (status.type() == std::filesystem::file_type::directory) {
    return fail(ErrorCode::invalid_input, fmt::format("{}: this is a directory: name {} in it", name, kind.file));
  }
  if (status.type() != std::filesystem::file_type::regular) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: this is not a regular file: copy the data to {} first", name, kind.file));
  }
  return {};
}

}  // namespace crosslane::cli
