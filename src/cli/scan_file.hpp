// The work behind `crosslane scan`: a file's elements go to a device, are scanned, and become a file again.
#pragma once

#include <filesystem>
#include <vector>

#include "cli/console.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/scan.hpp"

namespace crosslane::cli {

struct ScanJob {
  ScanOptions options;          ///< its type is the file's, its method one of these
  std::vector<Method> methods;  ///< run in this order
};

/// Scans the file's elements in C order by each method and writes as many results of the same type to `output`, which
/// is replaced if it is there: those of the first method that runs, once all agree. Where they do not, nothing is
/// written. Errors: those of the device, of reading and of writing; `unsupported` where the device can run no method.
Expected<MethodRuns<PassesOutcome>> scan_file(Device& device, NpyFile& file, ScanJob job,
                                              const std::filesystem::path& output, const Console& console);

}  // namespace crosslane::cli
