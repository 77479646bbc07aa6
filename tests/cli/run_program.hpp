// Runs the real program as a user would, with a folder of its own to work in.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/folder_test.hpp"

namespace crosslane::cli::test {

struct Outcome {
  int exit_code = -1;  ///< 128 + the signal where one ended the program
  std::string out;
  std::string err;

  /// `out` as the one JSON document that it must be.
  [[nodiscard]] nlohmann::json json() const;
};

struct RunOptions {
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< added to the test's own
  bool obeys_permissions = false;                                     ///< without root's right to read every file
  std::uint64_t largest_file = 0;                                     ///< bytes that a file may have; 0: any number
  std::string out_file = {};  ///< where standard output goes instead of `Outcome::out`
};

/// Lanes per wave that the test was started for; ctest says so in CROSSLANE_EXPECTED_WAVE_SIZE.
int expected_wave_size();

/// The device that the test was started for, "vulkan:0" or a size of the wave machine as "machine:32"; ctest says the
/// latter in CROSSLANE_TEST_DEVICE.
std::string test_device();

/// A test that runs the program in its folder, where the program's cache lies too.
class ProgramTest : public FolderTest {
 protected:
  /// Runs `crosslane` with these arguments in the folder.
  Outcome run(const std::vector<std::string>& arguments, const RunOptions& options = {});
};

}  // namespace crosslane::cli::test
