// Writing NumPy's .npy files so that no half-written one is ever seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "crosslane/error.hpp"

namespace crosslane::cli {

/// A file that is complete under a temporary name beside its own, which it takes at the end.
class PendingNpy {
 public:
  /// Writes an array of that type (`descr`, as "<f4") and shape. Errors: `invalid_argument` where it cannot be written.
  static Expected<PendingNpy> write(const std::filesystem::path& path, const std::string& descr,
                                    const std::vector<std::uint64_t>& shape, std::span<const std::byte> data);

  PendingNpy(PendingNpy&& other) noexcept;
  PendingNpy& operator=(PendingNpy&&) = delete;
  PendingNpy(const PendingNpy&) = delete;
  PendingNpy& operator=(const PendingNpy&) = delete;
  ~PendingNpy();  ///< removes what did not get its name

  /// Gives the file its name; a file of that name is replaced. Errors: `invalid_argument` where that is not possible.
  Expected<void> commit();

 private:
  PendingNpy(std::filesystem::path path, std::filesystem::path temporary);

  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty once it has its name
};

}  // namespace crosslane::cli
