// The work behind `crosslane reduce`: a file's elements go to a device once and are reduced by one method or several.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/console.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/method.hpp"
#include "crosslane/reduction.hpp"
#include "report/scalar.hpp"

namespace crosslane::cli {

struct ReduceJob {
  Operator op = Operator::sum;
  std::vector<Method> methods;  ///< run in this order
  std::optional<std::uint32_t> wave_size;
  bool reproducible = false;
  const DecisionSource* decisions = nullptr;  ///< of automatic methods
};

struct ReduceOutcome : MethodOutcome {
  std::optional<report::Scalar> value = {};  ///< there where the method ran
};

/// Whether the job makes sense for the file, before a device is touched. Errors: `invalid_argument` naming the file for
/// bit operators on floats and for the minimum or maximum of no elements.
Expected<void> check_job(const NpyFile& file, const ReduceJob& job);

/// Whether two values agree: float sums within both their error bounds of each other, where `magnitude` is Σ|x|;
/// everything else, and everything where `same_bits`, exactly.
bool values_agree(const ReduceOutcome& first, const ReduceOutcome& other, double magnitude, bool same_bits);

/// Errors: those of the device and of reading; `unsupported` for a file larger than the device's buffers and where the
/// device can run none of the methods.
Expected<MethodRuns<ReduceOutcome>> reduce_file(Device& device, NpyFile& file, const ReduceJob& job,
                                                const Console& console);

}  // namespace crosslane::cli
