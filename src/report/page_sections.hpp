// Cells of a report's tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/page.hpp"

namespace crosslane::report {

/// "-" where there is none.
Cell count_cell(std::uint64_t value);
/// Four digits.
Cell number_cell(std::optional<double> value);
/// "0.01957 (0.01953 to 0.01963)"
Cell estimate_cell(const std::optional<Estimate>& value);
/// The same of hundredths: "5.9 % (5.7 % to 6.2 %)"
Cell percent_cell(const std::optional<Estimate>& value);

/// What to know of a time, or why there is none; "-" where there is nothing.
std::string method_problem(const MethodTime& method);

/// "NVIDIA H200, 32 lanes, cold"
std::string run_label(const Measurements& all, const MeasuredRun& run);
/// "sum of u32, n = 16777216"
std::string work_label(const BenchmarkTimes& benchmark);

/// The sections that page_of puts together; those without anything to show have no blocks.
PageSection environment_section(const Measurements& all);
PageSection times_section(const Measurements& all);
PageSection scaling_section(const Measurements& all);
PageSection devices_section(const Measurements& all);
PageSection wave_sizes_section(const Measurements& all);
PageSection exchange_section(const Measurements& all);
PageSection counts_section(const Measurements& all);
PageSection registers_section(const Measurements& all);
PageSection decisions_section(const Measurements& all);

}  // namespace crosslane::report
