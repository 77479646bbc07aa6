// What `crosslane bench` measured, for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/bench_run.hpp"
#include "measure/regression.hpp"
#include "report/json.hpp"

namespace crosslane::cli {

/// Rates of a row: what the cost says over the median. Nothing where the cost says nothing.
std::optional<double> gigabytes_per_second(const measure::WorkCost& cost, const measure::Measured& row);
std::optional<double> gigaflops(const measure::WorkCost& cost, const measure::Measured& row);
std::optional<double> megapixels_per_second(const measure::WorkCost& cost, const measure::Measured& row);

std::string bench_text(const BenchReport& report, const std::vector<measure::Comparison>& comparisons);
std::string bench_csv(const BenchReport& report);
report::Json bench_json(const BenchReport& report, const std::vector<measure::Comparison>& comparisons);

/// Tables for people; `decide` and `report` show them too.
std::string benchmark_table(const measure::Benchmark& benchmark);
std::string exchange_table(const measure::Exchange& exchange);
std::string counts_table(const BenchCounts& counts);

/// {"median", "low", "high"}
report::Json estimate_json(const measure::Estimate& estimate);

}  // namespace crosslane::cli
