// The work behind `crosslane scan`: a file's elements go to a device, are scanned, and become a file again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/console.hpp"
#include "cli/npy.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/scan.hpp"

namespace crosslane::cli {

struct ScanOutcome {
  Method asked = Method::automatic;  ///< the method asked for; the one that ran where that was up to the library
  Method ran = Method::groupshared;  ///< the one that ran
  ScanPasses passes = ScanPasses::one;
  std::optional<double> gpu_time_ms;  ///< median of several runs; nothing without a clock on the device
  std::string note;                   ///< why another method ran, or none; or that this one was chosen
};

/// Errors: `unsupported` for arrays of several dimensions that lie by columns, naming the file.
Expected<void> check_scan(const NpyFile& file);

/// Scans the file's elements in C order and writes as many results of the same type to `output`, which is replaced if
/// it is there. `options.type` is the file's. Errors: those of the device, of reading and of writing.
Expected<ScanOutcome> scan_file(Device& device, NpyFile& file, ScanOptions options, const std::filesystem::path& output,
                                const Console& console);

}  // namespace crosslane::cli
