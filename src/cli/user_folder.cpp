#include "cli/user_folder.hpp"

#include <cstdlib>

namespace crosslane::cli {
namespace {

std::filesystem::path absolute_path_from(const char* variable) {
  const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  std::filesystem::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : std::filesystem::path();
}

}  // namespace

std::filesystem::path user_folder(const char* variable, const char* below_home) {
  std::filesystem::path folder = absolute_path_from(variable);
  if (folder.empty()) {
    folder = absolute_path_from("HOME");
    if (folder.empty()) {
      return {};
    }
    folder /= below_home;
  }
  return folder;
}

}  // namespace crosslane::cli
