// A file under a temporary name beside its own, which it takes when it is complete; gone if the program stops before.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "cli/output_file.hpp"
#include "crosslane/error.hpp"

namespace crosslane::cli {

class TemporaryFile {
 public:
  /// Makes an empty file beside the one at `path`, or beside the one that this leads to. From now on it is removed on
  /// SIGINT, SIGTERM and SIGHUP too. Errors: those of find_output; `invalid_argument` where no file can be made there.
  static Expected<TemporaryFile> create(const std::filesystem::path& path, const FileKind& kind = npy_files);

  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();  ///< removes what did not get its name

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const OutputFile& output() const { return output_; }

  /// Gives the file its name; a file of that name is replaced. Errors: `invalid_argument` where that is not possible.
  Expected<void> commit();

 private:
  TemporaryFile(OutputFile output, std::string name) : output_(std::move(output)), name_(std::move(name)) {}

  OutputFile output_;
  std::string name_;  // empty once it has its own
};

}  // namespace crosslane::cli
