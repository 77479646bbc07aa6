// What a report says beside times: exchanges, counts, registers and decisions.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "report/page_sections.hpp"

namespace crosslane::report {
namespace {

constexpr double hundred = 100.0;

// A line for each kind that `wanted` picks.
LineChart exchange_chart(const std::string& caption, const MeasuredRun& run, bool (*wanted)(const ExchangeTime&)) {
  LineChart chart{caption, "threads per group", "nanoseconds", {}, {}};
  std::vector<std::uint64_t> threads;
  for (const ExchangeTime& row : run.exchange) {
    if (wanted(row) && std::ranges::find(threads, row.threads) == threads.end()) {
      threads.push_back(row.threads);
    }
  }
  std::ranges::sort(threads);
  for (const std::uint64_t count : threads) {
    chart.places.push_back(fmt::format("{}", count));
  }
  for (const ExchangeTime& row : run.exchange) {
    if (!wanted(row) || !row.nanoseconds) {
      continue;
    }
    auto series = std::ranges::find(chart.series, row.kind, &LineChart::Series::name);
    if (series == chart.series.end()) {
      chart.series.push_back({row.kind, std::vector<std::optional<double>>(threads.size())});
      series = std::prev(chart.series.end());
    }
    const auto place = std::ranges::find(threads, row.threads) - threads.begin();
    series->values[static_cast<std::size_t>(place)] = row.nanoseconds->median;
  }
  return chart;
}

bool is_transform(const ExchangeTime& row) { return row.kind.starts_with("fft"); }
bool is_exchange(const ExchangeTime& row) { return !is_transform(row); }

// The numbers of a kernel for each element.
double each(std::uint64_t number, std::uint64_t count) {
  return static_cast<double>(number) / static_cast<double>(std::max<std::uint64_t>(count, 1));
}

std::string outcome(std::optional<bool> passed) { return !passed ? "not told" : *passed ? "passed" : "failed"; }

}  // namespace

PageSection exchange_section(const Measurements& all) {
  PageSection section{"exchange", "Exchanges between lanes", {}};
  for (const MeasuredRun& run : all.runs) {
    if (run.exchange.empty()) {
      continue;
    }
    const std::string label = fmt::format("{}, {} lanes", all.devices[run.device].label, run.wave_size);
    section.blocks.emplace_back(Heading{label});
    for (const auto& chart : {exchange_chart("Nanoseconds of one step, lower is faster: " + label, run, is_exchange),
                              exchange_chart("Nanoseconds of one 8-point Fourier transform, lower is faster: " + label,
                                             run, is_transform)}) {
      if (!chart.series.empty()) {
        section.blocks.emplace_back(chart);
      }
    }
    DataTable table{"One step of a chain in one thread group, and steps of all threads with the device full: " + label,
                    {"kind", "threads", "ns", "cycles", "steps per second", "note"},
                    {}};
    for (const ExchangeTime& row : run.exchange) {
      table.rows.push_back({{row.kind},
                            count_cell(row.threads),
                            estimate_cell(row.nanoseconds),
                            number_cell(row.cycles),
                            number_cell(row.steps_per_second),
                            {row.problem.empty() ? "-" : row.problem}});
    }
    section.blocks.emplace_back(std::move(table));
    if (!run.clock_note.empty()) {
      section.blocks.emplace_back(Paragraph{run.clock_note});
    }
  }
  return section;
}

PageSection counts_section(const Measurements& all) {
  PageSection section{"counts", "Counts", {}};
  DataTable table{
      "Counted on the wave machine, for each element; barriers for each wave; turns of 32 banks for each "
      "access to groupshared memory",
      {"algorithm", "method", "lanes", "n", "instructions", "groupshared", "shuffles", "bytes moved", "barriers",
       "conflicts", "note"},
      {}};
  for (const CountedKernel& kernel : all.counts) {
    std::vector<Cell> row = {
        {kernel.algorithm}, {kernel.method}, count_cell(kernel.wave_size), count_cell(kernel.count)};
    if (kernel.note.empty()) {
      for (const auto number : {kernel.instructions, kernel.groupshared_accesses, kernel.shuffles, kernel.bytes}) {
        row.push_back(number_cell(each(number, kernel.count)));
      }
      row.push_back(number_cell(each(kernel.barriers, kernel.waves)));
      row.push_back(number_cell(kernel.conflict_factor));
      row.push_back({"-"});
    } else {
      row.insert(row.end(), 6, Cell{"-"});
      row.push_back({kernel.note});
    }
    table.rows.push_back(std::move(row));
  }
  if (!table.rows.empty()) {
    section.blocks.emplace_back(std::move(table));
  }
  return section;
}

PageSection registers_section(const Measurements& all) {
  PageSection section{"registers", "Registers", {}};
  DataTable table{"What the drivers tell of the kernels by shuffles", {"algorithm", "device", "outcome", "found"}, {}};
  for (const DecidedMethod& decided : all.decisions) {
    for (const DecidedStep& step : decided.steps) {
      if (step.name == "registers") {
        table.rows.push_back(
            {{decided.algorithm}, {all.devices[decided.device].label}, {outcome(step.passed)}, {step.found}});
      }
    }
  }
  if (!table.rows.empty()) {
    section.blocks.emplace_back(std::move(table));
  }
  return section;
}

PageSection decisions_section(const Measurements& all) {
  PageSection section{"decisions", "Decisions", {}};
  if (all.decisions.empty()) {
    return section;
  }
  DataTable overview{"Which method is used", {"algorithm", "device", "decision", "gain", "threshold", "reason"}, {}};
  for (const DecidedMethod& decided : all.decisions) {
    overview.rows.push_back({{decided.algorithm},
                             {all.devices[decided.device].label},
                             {decided.decision},
                             percent_cell(decided.gain),
                             {fmt::format("{:.1f} %", hundred * decided.threshold), decided.threshold},
                             {decided.reason}});
  }
  section.blocks.emplace_back(std::move(overview));
  for (const DecidedMethod& decided : all.decisions) {
    const std::string what =
        fmt::format("{}: {}, {}", decided.algorithm, decided.title, all.devices[decided.device].label);
    section.blocks.emplace_back(Heading{what});
    DataTable steps{"Steps of the decision for " + what, {"step", "outcome", "found", "why"}, {}};
    for (const DecidedStep& step : decided.steps) {
      steps.rows.push_back({{step.name}, {outcome(step.passed)}, {step.found}, {step.reason}});
    }
    section.blocks.emplace_back(std::move(steps));
    section.blocks.emplace_back(Paragraph{fmt::format("Decision: {}. {}.", decided.decision, decided.reason)});
    if (decided.software) {
      section.blocks.emplace_back(
          Paragraph{"The device computes on the processor: its times say nothing of a GPU, and nothing was stored."});
    }
  }
  return section;
}

}  // namespace crosslane::report
