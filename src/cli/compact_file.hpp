// The work behind `crosslane compact`: a file's elements go to a device, some of them stay, and become a file again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "cli/console.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "crosslane/compaction.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"

namespace crosslane::cli {

struct CompactJob {
  CompactionOptions options;    ///< its element size is the file's, its method one of these
  std::vector<Method> methods;  ///< run in this order
  bool partition = false;       ///< what is not kept follows what is
};

struct CompactOutcome : PassesOutcome {
  std::uint64_t kept = 0;
};

/// Errors: `invalid_argument` where there is not one flag for each element.
Expected<void> check_flags(const NpyFile& file, const NpyFile& flags);

/// Keeps some of the file's elements, in C order, by each method and writes them, or their places as uint32, to
/// `output`, which is replaced if it is there: once all methods agree. Where they do not, nothing is written. `flags`
/// is null for selections by value. Errors: those of the device, of reading and of writing; `unsupported` where the
/// device can run no method.
Expected<MethodRuns<CompactOutcome>> compact_file(Device& device, NpyFile& file, NpyFile* flags, CompactJob job,
                                                  const std::filesystem::path& output, const Console& console);

}  // namespace crosslane::cli
