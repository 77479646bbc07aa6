#include "cli/amd_without_hardware.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

namespace fs = std::filesystem;

// Folders in which Vulkan's loader looks for drivers that the system has.
std::vector<fs::path> driver_folders() {
  const char* const named = std::getenv("XDG_DATA_DIRS");  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  std::string_view text = named == nullptr || *named == '\0' ? "/usr/local/share:/usr/share" : named;
  std::vector<fs::path> folders = {"/etc/vulkan/icd.d"};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(':'), text.size());
    folders.push_back(fs::path(text.substr(0, end)) / "vulkan" / "icd.d");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return folders;
}

// One for each architecture that is installed; the loader takes the one of the program.
std::vector<std::string> radv_manifests() {
  std::vector<std::string> manifests;
  for (const fs::path& folder : driver_folders()) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("radeon_icd") && name.ends_with(".json")) {
        manifests.push_back(entry.path().string());
      }
    }
  }
  std::ranges::sort(manifests);
  return manifests;
}

}  // namespace

Expected<Environment> amd_environment(const std::string& chip) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (chip.empty() || !std::ranges::all_of(chip, is_plain)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--amd '{}': name a chip in small letters, as navi21, vega10 or polaris10",
                            report::printable(chip)));
  }
  const std::vector<std::string> manifests = radv_manifests();
  if (manifests.empty()) {
    return fail(ErrorCode::device, fmt::format("--amd {}: Mesa's driver RADV is not installed: install the package "
                                               "mesa-vulkan-drivers",
                                               chip));
  }
  const std::string all = fmt::format("{}", fmt::join(manifests, ":"));
  // The first of the loader's names is the newer one.
  return Environment{{"RADV_FORCE_FAMILY", chip}, {"VK_DRIVER_FILES", all}, {"VK_ICD_FILENAMES", all}};
}

}  // namespace crosslane::cli
