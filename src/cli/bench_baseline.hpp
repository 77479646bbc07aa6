// What `crosslane bench --json` saved, to compare with.
#pragma once

#include <string>
#include <vector>

#include "cli/bench_run.hpp"
#include "crosslane/error.hpp"
#include "measure/regression.hpp"

namespace crosslane::cli {

/// A row of a saved file.
struct BaselineRow {
  std::string device;  ///< its name
  std::string what;    ///< what makes it the same work: algorithm, title, number of elements, method
  measure::Estimate time_ms;
};

/// Errors: `invalid_input` for files that cannot be read or that `bench --json` did not write.
Expected<std::vector<BaselineRow>> read_baseline(const std::string& file);

/// Every row of the report that the baseline has too, of a device with the same name.
std::vector<measure::Comparison> compare_with(const std::vector<BaselineRow>& baseline, const BenchReport& report,
                                              double tolerance);

}  // namespace crosslane::cli
