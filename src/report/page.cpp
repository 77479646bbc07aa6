#include "report/page.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "report/page_sections.hpp"

namespace crosslane::report {
namespace {

constexpr double hundred = 100.0;

// In a column of numbers, what is none sorts as missing.
std::optional<double> order(double value) { return std::isnan(value) ? std::nullopt : std::optional(value); }

}  // namespace

Cell count_cell(std::uint64_t value) { return {fmt::format("{}", value), static_cast<double>(value)}; }

Cell number_cell(std::optional<double> value) {
  return value ? Cell{fmt::format("{:.4g}", *value), order(*value)} : Cell{"-"};
}

Cell estimate_cell(const std::optional<Estimate>& value) {
  return value ? Cell{fmt::format("{:.4g} ({:.4g} to {:.4g})", value->median, value->low, value->high),
                      order(value->median)}
               : Cell{"-"};
}

Cell percent_cell(const std::optional<Estimate>& value) {
  return value ? Cell{fmt::format("{:.1f} % ({:.1f} % to {:.1f} %)", hundred * value->median, hundred * value->low,
                                  hundred * value->high),
                      order(value->median)}
               : Cell{"-"};
}

std::string run_label(const Measurements& all, const MeasuredRun& run) {
  return fmt::format("{}, {} lanes, {}", all.devices[run.device].label, run.wave_size, run.cold ? "cold" : "hot");
}

std::string work_label(const BenchmarkTimes& benchmark) {
  return fmt::format("{}, n = {}", benchmark.title, benchmark.count);
}

Page page_of(const Measurements& measurements) {
  Page page{"Crosslane: shuffles and groupshared memory", {}};
  for (auto* const make : {environment_section, times_section, scaling_section, devices_section, wave_sizes_section,
                           exchange_section, counts_section, registers_section, decisions_section}) {
    if (PageSection section = make(measurements); !section.blocks.empty()) {
      page.sections.push_back(std::move(section));
    }
  }
  return page;
}

}  // namespace crosslane::report
