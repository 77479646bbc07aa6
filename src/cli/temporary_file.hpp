// A file under a temporary name beside its own, which it takes when it is complete; gone if the program stops before.
#pragma once

#include <filesystem>
#include <string>

#include "crosslane/error.hpp"

namespace crosslane::cli {

class TemporaryFile {
 public:
  /// Makes an empty file beside `path`. From now on it is removed on SIGINT, SIGTERM and SIGHUP too. Errors: those of
  /// check_replaceable; `invalid_argument` where no file can be made there.
  static Expected<TemporaryFile> create(const std::filesystem::path& path);

  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();  ///< removes what did not get its name

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Gives the file its name; a file of that name is replaced. Errors: `invalid_argument` where that is not possible.
  Expected<void> commit();

 private:
  TemporaryFile(std::filesystem::path path, std::string name) : path_(std::move(path)), name_(std::move(name)) {}

  std::filesystem::path path_;
  std::string name_;  // empty once it has its own
};

/// Errors: `invalid_argument` for what is there and is neither a regular file nor a directory: a file would take the
/// place of a device as /dev/null. (Directories keep theirs.)
Expected<void> check_replaceable(const std::filesystem::path& path);

/// "…: cannot be written (why): check path, permissions and room".
tl::unexpected<Error> cannot_write(const std::filesystem::path& path, const std::error_code& why);

}  // namespace crosslane::cli
