// Writing NumPy's .npy files so that no half-written one is ever seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "cli/temporary_file.hpp"
#include "crosslane/error.hpp"

namespace crosslane::cli {

/// A file that is written under a temporary name beside its own, which it takes at the end.
class PendingNpy {
 public:
  /// Begins an array of that type (`descr`, as "<f4") and shape. Errors: `invalid_argument` where it cannot be written.
  static Expected<PendingNpy> begin(const std::filesystem::path& path, const std::string& descr,
                                    const std::vector<std::uint64_t>& shape);

  /// Begins it and adds all its data.
  static Expected<PendingNpy> write(const std::filesystem::path& path, const std::string& descr,
                                    const std::vector<std::uint64_t>& shape, std::span<const std::byte> data);

  /// The name that it was given.
  [[nodiscard]] const std::filesystem::path& path() const { return file_.output().name; }

  /// Adds data behind what was added before. Errors: `invalid_argument` where it cannot be written.
  Expected<void> append(std::span<const std::byte> data);

  /// Gives the file its name; a file of that name is replaced. Errors: `invalid_argument` where that is not possible.
  Expected<void> commit();

 private:
  PendingNpy(TemporaryFile file, std::ofstream stream) : file_(std::move(file)), stream_(std::move(stream)) {}

  Expected<void> check();
  Expected<void> close();

  TemporaryFile file_;
  std::ofstream stream_;
};

}  // namespace crosslane::cli
