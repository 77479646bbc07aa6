// The work behind `crosslane scan`: a file's elements go to a device, are scanned, and become a file again.
#pragma once

#include <filesystem>

#include "cli/console.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/scan.hpp"

namespace crosslane::cli {

/// Scans the file's elements in C order and writes as many results of the same type to `output`, which is replaced if
/// it is there. `options.type` is the file's. Errors: those of the device, of reading and of writing.
Expected<RunOutcome> scan_file(Device& device, NpyFile& file, ScanOptions options, const std::filesystem::path& output,
                               const Console& console);

}  // namespace crosslane::cli
