// What a .test file requires, and what a device has of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "job/test_file.hpp"

namespace crosslane::job {

/// The features of a device in the words of LLVM's offload test suite: Vulkan, DXC, Int16, Half, Double, Int64, the
/// vendor, SM_6_0 to SM_6_8, WaveSize_N for the one wave size in use.
HasFeature features_of(const DeviceInfo& device, std::uint32_t wave_size);

/// How the file can be run on the device.
struct Fitness {
  std::optional<std::string> skipped;  ///< why it cannot
  std::uint32_t wave_size = 0;         ///< to run it with
  std::optional<std::string>
      expected_failure;  ///< the condition that holds and after which the authors expect it to fail
};

/// Tries the wave size asked for, or, where none is, the device's standard one and then those that the file names.
/// Errors: `invalid_input` with the line for what is no condition.
Expected<Fitness> examine(const TestFile& file, const std::string& name, const DeviceInfo& device,
                          std::optional<std::uint32_t> wave_size);

}  // namespace crosslane::job
