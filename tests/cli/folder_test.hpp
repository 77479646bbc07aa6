// A test with a folder of its own, which is gone afterwards.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

namespace crosslane::cli::test {

inline std::filesystem::path make_folder() {
  std::string pattern = testing::TempDir() + "crosslane-cli-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), pattern);
  }
  return pattern;
}

class FolderTest : public testing::Test {
 protected:
  FolderTest() = default;
  ~FolderTest() override {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }

  /// The names of what lies in the folder, but not those of folders, in order.
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (!entry.is_directory()) {
        names.push_back(entry.path().filename());
      }
    }
    std::ranges::sort(names);
    return names;
  }

  const std::filesystem::path folder_ = make_folder();
};

}  // namespace crosslane::cli::test
