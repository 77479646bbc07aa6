#include "cli/compiler_search.hpp"

#include <filesystem>
#include <system_error>

namespace crosslane::cli {

compile::FindOptions compiler_places() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return {};
  }
  return {.fallback_directories = {program.parent_path().parent_path() / "lib" / "crosslane"}};
}

}  // namespace crosslane::cli
