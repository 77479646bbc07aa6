// Remembers between runs which devices kept their promises, so that `auto` need not verify a device every time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "crosslane/device.hpp"

namespace crosslane::cli {

/// A small JSON file. What is known of a device holds for its uuid, driver version and wave sizes, and for this version
/// of Crosslane. A file that is damaged, or not ours, counts as empty; one that cannot be written is no error.
class VerificationStore {
 public:
  /// `file` may be empty: then nothing is remembered.
  explicit VerificationStore(std::filesystem::path file);

  /// crosslane/verified.json below XDG_CACHE_HOME, else below HOME/.cache; empty where neither is set.
  static std::filesystem::path default_file();

  /// The names of the promises that the device broke when it was last verified; nothing where it never was.
  [[nodiscard]] std::optional<std::vector<std::string>> broken_promises(const DeviceInfo& device) const;

  /// Adds or replaces what is known of the device: the names of the promises that it broke.
  void remember(const DeviceInfo& device, const std::vector<std::string>& broken) const;

 private:
  std::filesystem::path file_;
};

}  // namespace crosslane::cli
