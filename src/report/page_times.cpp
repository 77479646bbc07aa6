// What a report says of times: of each method, and of devices and wave sizes side by side.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "report/page_sections.hpp"

namespace crosslane::report {
namespace {

DataTable benchmark_table(const std::string& caption, const BenchmarkTimes& benchmark) {
  DataTable table{caption,
                  {"method", "ms", "relative", "GB/s", "GFLOPS", "Mpixel/s", "of memory", "launches", "samples",
                   "outliers", "note"},
                  {}};
  const auto add = [&](const MethodTime& method) {
    table.rows.push_back({{method.name},
                          estimate_cell(method.time_ms),
                          estimate_cell(method.relative),
                          number_cell(method.gb_per_s),
                          number_cell(method.gflops),
                          number_cell(method.mpixel_per_s),
                          percent_cell(method.memory_fraction),
                          count_cell(method.launches),
                          count_cell(method.samples),
                          count_cell(method.outliers),
                          {method_problem(method)}});
  };
  std::ranges::for_each(benchmark.methods, add);
  if (benchmark.memory) {
    add(*benchmark.memory);
  }
  return table;
}

void add_bar(BarChart& chart, const std::string& name, const MethodTime& method) {
  if (method.time_ms) {
    chart.rows.push_back({name, *method.time_ms, fmt::format("{:.4g} ms", method.time_ms->median)});
  }
}

std::string formulas(const BenchmarkTimes& benchmark) {
  std::string text = benchmark.bytes_formula;
  if (!benchmark.operations_formula.empty()) {
    text += (text.empty() ? "" : "; ") + benchmark.operations_formula;
  }
  return fmt::format("Rates count {}. Measured until: {}.", text.empty() ? "nothing" : text, benchmark.stop);
}

// Of several sizes the largest is shown here; all are in the section on sizes.
bool is_largest(const MeasuredRun& run, const BenchmarkTimes& benchmark) {
  return std::ranges::none_of(run.benchmarks, [&](const BenchmarkTimes& other) {
    return other.algorithm == benchmark.algorithm && other.work == benchmark.work && other.count > benchmark.count;
  });
}

// Times of the same work side by side. A column is a run, or several of the same label.
struct Pivot {
  using Work = std::pair<std::string, std::string>;  // what was done, method
  std::vector<std::string> columns;
  std::vector<Work> works;
  std::map<std::pair<Work, std::string>, Estimate> times;
  std::map<std::string, std::string> of_any_size;  // what was done without its size

  void add(const std::string& column, const MeasuredRun& run) {
    if (std::ranges::find(columns, column) == columns.end()) {
      columns.push_back(column);
    }
    for (const BenchmarkTimes& benchmark : run.benchmarks) {
      for (const MethodTime& method : benchmark.methods) {
        const Work work{fmt::format("{}: {}", benchmark.algorithm, work_label(benchmark)), method.name};
        of_any_size[work.first] = fmt::format("{}: {}", benchmark.algorithm, benchmark.work);
        if (method.time_ms && times.try_emplace({work, column}, *method.time_ms).second &&
            std::ranges::find(works, work) == works.end()) {
          works.push_back(work);
        }
      }
    }
  }

  [[nodiscard]] std::optional<Estimate> time(const Work& work, const std::string& column) const {
    const auto found = times.find({work, column});
    return found == times.end() ? std::nullopt : std::optional(found->second);
  }

  [[nodiscard]] DataTable table(const std::string& caption) const {
    DataTable table{caption, {"work", "method"}, {}};
    for (const std::string& column : columns) {
      table.columns.push_back(column + ", ms");
    }
    for (const Work& work : works) {
      std::vector<Cell> row = {{work.first}, {work.second}};
      for (const std::string& column : columns) {
        row.push_back(estimate_cell(time(work, column)));
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  // One chart for each work that several columns have, at the last size that they have it of.
  [[nodiscard]] std::vector<Block> charts() const {
    std::vector<Block> charts;
    std::vector<std::string> charted;  // of any size
    for (auto work = works.begin(); work != works.end();) {
      BarChart chart{fmt::format("{}: median ms, shorter is faster", work->first), {}};
      std::set<std::string> present;
      const std::string& what = work->first;
      for (; work != works.end() && work->first == what; ++work) {
        for (const std::string& column : columns) {
          if (const auto found = time(*work, column)) {
            chart.rows.push_back({work->second + ", " + column, *found, fmt::format("{:.4g} ms", found->median)});
            present.insert(column);
          }
        }
      }
      if (present.size() < 2) {
        continue;
      }
      const auto smaller = std::ranges::find(charted, of_any_size.at(what));
      if (smaller == charted.end()) {
        charted.push_back(of_any_size.at(what));
        charts.emplace_back(std::move(chart));
      } else {
        charts[static_cast<std::size_t>(smaller - charted.begin())] = std::move(chart);
      }
    }
    return charts;
  }
};

}  // namespace

std::string method_problem(const MethodTime& method) {
  std::string text = method.problem;
  if (method.drifted) {
    text += text.empty() ? "drifted" : "; drifted";
  }
  return text.empty() ? "-" : text;
}

PageSection environment_section(const Measurements& all) {
  PageSection section{"environment", "Devices", {}};
  DataTable table{"What was measured on",
                  {"device", "kind", "vendor", "driver", "driver version", "API version", "wave sizes", "UUID"},
                  {}};
  for (const MeasuredDevice& device : all.devices) {
    table.rows.push_back({{device.label},
                          {device.kind},
                          {device.vendor},
                          {device.driver},
                          {device.driver_version},
                          {device.api_version},
                          {device.least_wave_size == device.largest_wave_size
                               ? fmt::format("{}", device.standard_wave_size)
                               : fmt::format("{} to {}, usually {}", device.least_wave_size, device.largest_wave_size,
                                             device.standard_wave_size)},
                          {device.uuid}});
  }
  if (!table.rows.empty()) {
    section.blocks.emplace_back(std::move(table));
  }
  std::set<std::string> versions;
  for (const MeasuredRun& run : all.runs) {
    versions.insert(run.crosslane);
  }
  for (const std::string& version : versions) {
    section.blocks.emplace_back(Paragraph{"Measured by Crosslane " + version + "."});
  }
  for (const std::string& note : all.notes) {
    section.blocks.emplace_back(Paragraph{"Note: " + note});
  }
  return section;
}

PageSection times_section(const Measurements& all) {
  PageSection section{"times", "Times of the methods", {}};
  for (const MeasuredRun& run : all.runs) {
    for (const BenchmarkTimes& benchmark : run.benchmarks) {
      if (!is_largest(run, benchmark)) {
        continue;
      }
      const std::string what = fmt::format("{}, {}", work_label(benchmark), run_label(all, run));
      section.blocks.emplace_back(Heading{fmt::format("{}: {}", benchmark.algorithm, what)});
      BarChart chart{fmt::format("{}: median ms with 95 % interval, shorter is faster", what), {}};
      for (const MethodTime& method : benchmark.methods) {
        add_bar(chart, method.name, method);
      }
      if (benchmark.memory) {
        add_bar(chart, benchmark.memory->name, *benchmark.memory);
      }
      if (!chart.rows.empty()) {
        section.blocks.emplace_back(std::move(chart));
      }
      section.blocks.emplace_back(benchmark_table(what, benchmark));
      section.blocks.emplace_back(Paragraph{formulas(benchmark)});
    }
  }
  return section;
}

PageSection devices_section(const Measurements& all) {
  PageSection section{"comparison", "Devices side by side", {}};
  Pivot pivot;
  std::set<std::size_t> devices;
  for (const MeasuredRun& run : all.runs) {
    if (!run.benchmarks.empty()) {
      pivot.add(run_label(all, run), run);
      devices.insert(run.device);
    }
  }
  if (devices.size() > 1 && !pivot.works.empty()) {
    section.blocks = pivot.charts();
    section.blocks.emplace_back(pivot.table("Median ms on each device"));
  }
  return section;
}

PageSection wave_sizes_section(const Measurements& all) {
  PageSection section{"wave-sizes", "Wave sizes", {}};
  for (std::size_t device = 0; device < all.devices.size(); ++device) {
    Pivot pivot;
    std::set<std::uint64_t> sizes;
    for (const MeasuredRun& run : all.runs) {
      if (run.device == device && !run.benchmarks.empty()) {
        pivot.add(fmt::format("{} lanes, {}", run.wave_size, run.cold ? "cold" : "hot"), run);
        sizes.insert(run.wave_size);
      }
    }
    if (sizes.size() > 1 && !pivot.works.empty()) {
      section.blocks.emplace_back(pivot.table("Median ms on " + all.devices[device].label));
    }
  }
  return section;
}

}  // namespace crosslane::report
