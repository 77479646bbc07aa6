// Where a compiler library may be: the places and their order, nothing loaded yet.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "crosslane/error.hpp"

namespace crosslane::compile {

/// What the environment says about compilers; empty variables count as not set.
struct SearchEnvironment {
  std::optional<std::filesystem::path> chosen;      ///< CROSSLANE_DXC: a library file, or a folder that holds one
  std::optional<std::filesystem::path> vulkan_sdk;  ///< VULKAN_SDK

  /// Reads the variables of this process.
  static SearchEnvironment of_process();
};

/// One library to try.
struct Candidate {
  std::filesystem::path library;  ///< a file, or a bare name that the system's loader looks up
  std::string origin;             ///< "CROSSLANE_DXC", "VULKAN_SDK", "the system" or "a fallback folder"
};

/// The candidates in the order in which they are tried. Only CROSSLANE_DXC's if it is set: whoever chose a compiler
/// does not want another one. Error: `compiler` where CROSSLANE_DXC names nothing that exists.
Expected<std::vector<Candidate>> candidates(const SearchEnvironment& environment,
                                            const std::vector<std::filesystem::path>& fallback_directories);

}  // namespace crosslane::compile
