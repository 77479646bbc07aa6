// The work behind `crosslane reduce`: a file's elements go to a device once and are reduced by one method or several.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
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
};

struct MethodOutcome {
  Method method = Method::automatic;    ///< the one asked for; the one that ran where that was up to the library
  std::optional<Method> ran;            ///< nothing where the device cannot run it
  std::optional<report::Scalar> value;  ///< there where the method ran
  std::optional<double> gpu_time_ms;    ///< median of several runs; nothing without a clock on the device
  std::string note;                     ///< why another method ran, or none; or that this one was chosen
  double error_bound = 0.0;             ///< of float sums: the factor of Σ|x|
};

struct ReduceOutcome {
  std::vector<MethodOutcome> methods;
  bool agree = true;  ///< whether all values are the same, float sums within their error bounds
};

/// Whether the job makes sense for the file, before a device is touched. Errors: `invalid_argument` naming the file for
/// bit operators on floats and for the minimum or maximum of no elements.
Expected<void> check_job(const NpyFile& file, const ReduceJob& job);

/// Whether all values there are agree: float sums within their error bounds of each other, where `magnitude` is Σ|x|;
/// everything else, and everything where `same_bits`, exactly.
bool all_agree(const std::vector<MethodOutcome>& outcomes, double magnitude, bool same_bits);

/// Errors: those of the device and of reading; `unsupported` for a file larger than the device's buffers and where the
/// device can run none of the methods.
Expected<ReduceOutcome> reduce_file(Device& device, NpyFile& file, const ReduceJob& job, const Console& console);

}  // namespace crosslane::cli
