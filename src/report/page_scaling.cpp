// What a report says of sizes: how the time of the same work grows with the number of elements.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "report/page_sections.hpp"

namespace crosslane::report {
namespace {

// The same work of one run at every size, by rising size.
struct Sizes {
  std::string what;
  std::vector<const BenchmarkTimes*> benchmarks;
};

std::vector<Sizes> works_of(const MeasuredRun& run) {
  std::vector<Sizes> works;
  for (const BenchmarkTimes& benchmark : run.benchmarks) {
    const std::string what = fmt::format("{}: {}", benchmark.algorithm, benchmark.work);
    auto work = std::ranges::find(works, what, &Sizes::what);
    if (work == works.end()) {
      works.push_back({what, {}});
      work = std::prev(works.end());
    }
    work->benchmarks.push_back(&benchmark);
  }
  for (Sizes& work : works) {
    std::ranges::stable_sort(work.benchmarks, {}, [](const BenchmarkTimes* one) { return one->count; });
    const auto same = [](const BenchmarkTimes* one, const BenchmarkTimes* other) { return one->count == other->count; };
    work.benchmarks.erase(std::unique(work.benchmarks.begin(), work.benchmarks.end(), same), work.benchmarks.end());
  }
  std::erase_if(works, [](const Sizes& work) { return work.benchmarks.size() < 2; });
  return works;
}

std::string size_text(std::uint64_t count) {
  return std::has_single_bit(count) ? fmt::format("2^{}", std::bit_width(count) - 1) : fmt::format("{}", count);
}

// The methods, then the device's memory.
std::vector<MethodTime> rows_of(const BenchmarkTimes& benchmark) {
  std::vector<MethodTime> rows = benchmark.methods;
  if (benchmark.memory) {
    rows.push_back(*benchmark.memory);
  }
  return rows;
}

LineChart chart_of(const std::string& caption, const Sizes& work) {
  LineChart chart{caption, "elements", "median ms", {}, {}, {}, true};
  for (std::size_t place = 0; place < work.benchmarks.size(); ++place) {
    const BenchmarkTimes& benchmark = *work.benchmarks[place];
    chart.places.push_back(size_text(benchmark.count));
    chart.positions.push_back(std::log2(static_cast<double>(std::max<std::uint64_t>(benchmark.count, 1))));
    for (const MethodTime& row : rows_of(benchmark)) {
      if (!row.time_ms) {
        continue;
      }
      auto series = std::ranges::find(chart.series, row.name, &LineChart::Series::name);
      if (series == chart.series.end()) {
        chart.series.push_back({row.name, std::vector<std::optional<double>>(work.benchmarks.size())});
        series = std::prev(chart.series.end());
      }
      series->values[place] = row.time_ms->median;
    }
  }
  return chart;
}

DataTable table_of(const std::string& caption, const Sizes& work) {
  DataTable table{caption, {"n", "method", "ms", "relative", "GB/s", "of memory", "note"}, {}};
  for (const BenchmarkTimes* const benchmark : work.benchmarks) {
    for (const MethodTime& row : rows_of(*benchmark)) {
      table.rows.push_back({count_cell(benchmark->count),
                            {row.name},
                            estimate_cell(row.time_ms),
                            estimate_cell(row.relative),
                            number_cell(row.gb_per_s),
                            percent_cell(row.memory_fraction),
                            {method_problem(row)}});
    }
  }
  return table;
}

}  // namespace

PageSection scaling_section(const Measurements& all) {
  PageSection section{"scaling", "Times by size", {}};
  for (const MeasuredRun& run : all.runs) {
    for (const Sizes& work : works_of(run)) {
      const std::string what = fmt::format("{}, {}", work.what, run_label(all, run));
      section.blocks.emplace_back(Heading{what});
      LineChart chart = chart_of(what + ": median ms by number of elements, lower is faster", work);
      if (!chart.series.empty()) {
        section.blocks.emplace_back(std::move(chart));
      }
      section.blocks.emplace_back(table_of("By number of elements: " + what, work));
    }
  }
  return section;
}

}  // namespace crosslane::report
