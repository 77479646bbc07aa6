#include "cli/bench_output.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/bars.hpp"
#include "report/printable.hpp"
#include "report/table.hpp"

namespace crosslane::cli {
namespace {

using measure::Benchmark;
using measure::Exchange;
using measure::Measured;
using report::Align;

std::string milliseconds(double value) { return fmt::format("{:#.5g}", value); }

std::string rate(std::optional<double> value) { return value ? fmt::format("{:#.4g}", *value) : ""; }

std::string gain_text(const Measured& row) {
  if (!row.relative || row.relative->interval.low == row.relative->interval.high) {
    return "";
  }
  const auto percent = [](double ratio) { return 100.0 * (ratio - 1.0); };
  const auto& [low, high] = row.relative->interval;
  return fmt::format("{:+.1f} % ({:+.1f} .. {:+.1f})", percent(row.relative->median), percent(low), percent(high));
}

std::string note_of(const Measured& row) {
  std::vector<std::string> parts;
  if (!row.fault.empty()) {
    parts.push_back("WRONG, not timed: " + row.fault);
  }
  if (!row.note.empty()) {
    parts.push_back(row.note);
  }
  if (row.drift.significant) {
    parts.push_back(fmt::format("drifted by {:+.1f} %", 100.0 * row.drift.relative));
  }
  if (!row.outliers.empty()) {
    std::vector<std::string> times;
    for (std::size_t i = 0; i < std::min<std::size_t>(row.outliers.size(), 3); ++i) {
      times.push_back(milliseconds(row.times_ms[row.outliers[i]]));
    }
    parts.push_back(fmt::format("{} outlier{} ({}{} ms)", row.outliers.size(), row.outliers.size() == 1 ? "" : "s",
                                fmt::join(times, ", "), row.outliers.size() > times.size() ? ", …" : ""));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string stop_text(const Benchmark& benchmark) {
  const std::size_t rounds = benchmark.methods.empty() ? 0 : benchmark.methods.front().times_ms.size();
  switch (benchmark.stop) {
    case measure::Stop::narrow:
      return fmt::format("{} rounds, until the intervals were narrow", rounds);
    case measure::Stop::time_up:
      return fmt::format("{} rounds, until the time was up: wider intervals than 1 %", rounds);
    default:
      return fmt::format("{} rounds, the most there are", rounds);
  }
}

std::string environment(const BenchRun& run) {
  return fmt::format(
      "on {}: {}, driver {} {}, {}, {} lanes per wave{}\n", run.device.id, report::printable(run.device.name),
      report::printable(run.device.driver), report::printable(run.device.driver_version),
      report::printable(run.device.api_version), run.wave_size,
      run.device.kind == DeviceKind::gpu ? "" : "; computes on the processor, so these are no GPU's times");
}

std::string nanoseconds(const measure::ExchangeRow* row) {
  return row == nullptr ? "-" : fmt::format("{:#.3g}", row->nanoseconds->median);
}

std::string comparison_text(const std::vector<measure::Comparison>& comparisons) {
  report::Table table({{"against the baseline"},
                       {"before [ms]", Align::right},
                       {"now [ms]", Align::right},
                       {"now / before", Align::right},
                       {"verdict"}});
  for (const auto& one : comparisons) {
    table.add({one.what, milliseconds(one.before.median), milliseconds(one.now.median),
               fmt::format("{:.3f} ({:.3f} .. {:.3f})", one.ratio, one.interval.low, one.interval.high),
               one.regression            ? "SLOWER"
               : one.interval.high < 1.0 ? "faster"
                                         : "the same, as far as can be told"});
  }
  return table.text();
}

// The same work of several sizes: a row for each.
std::string scaling_table(std::span<const Benchmark> sizes) {
  std::vector<report::Column> columns = {{"n", Align::right}};
  for (const Measured& row : sizes.front().methods) {
    columns.push_back({row.name, Align::right});
  }
  columns.push_back({"memory", Align::right});
  report::Table table(columns);
  const auto cell = [](const Measured& row) {
    return row.timed() ? milliseconds(row.time_ms.median) : std::string(row.fault.empty() ? "-" : "WRONG");
  };
  for (const Benchmark& benchmark : sizes) {
    std::vector<std::string> cells = {std::to_string(benchmark.count)};
    std::ranges::transform(benchmark.methods, std::back_inserter(cells), cell);
    cells.push_back(benchmark.stream ? cell(*benchmark.stream) : "-");
    table.add(std::move(cells));
  }
  return fmt::format("{}: {}, median ms by number of elements\n{}", sizes.front().algorithm,
                     report::printable(sizes.front().work), table.text());
}

// In full where there is one size; of several the largest, and times of all.
std::string benchmarks_text(const std::vector<Benchmark>& benchmarks) {
  std::string text;
  for (auto first = benchmarks.begin(); first != benchmarks.end();) {
    const auto last = std::find_if(first, benchmarks.end(), [&](const Benchmark& other) {
      return other.algorithm != first->algorithm || other.work != first->work;
    });
    if (last - first > 1) {
      text += '\n' + scaling_table({first, last});
    }
    text += '\n' + benchmark_table(*std::prev(last));
    first = last;
  }
  return text;
}

}  // namespace

std::optional<double> gigabytes_per_second(const measure::WorkCost& cost, const Measured& row) {
  const auto bytes = static_cast<double>(cost.bytes_read + cost.bytes_written);
  return row.timed() && row.time_ms.median > 0.0 && bytes > 0.0 ? std::optional(bytes / row.time_ms.median / 1e6)
                                                                : std::nullopt;
}

std::optional<double> gigaflops(const measure::WorkCost& cost, const Measured& row) {
  return row.timed() && row.time_ms.median > 0.0 && cost.operations > 0.0
             ? std::optional(cost.operations / row.time_ms.median / 1e6)
             : std::nullopt;
}

std::optional<double> megapixels_per_second(const measure::WorkCost& cost, const Measured& row) {
  return row.timed() && row.time_ms.median > 0.0 && cost.pixels > 0.0
             ? std::optional(cost.pixels / row.time_ms.median / 1e3)
             : std::nullopt;
}

std::string benchmark_table(const Benchmark& benchmark) {
  const measure::WorkCost& cost = benchmark.cost;
  std::vector<report::Column> columns = {
      {"method"}, {"ms", Align::right}, {"interval", Align::right}, {"relative", Align::right}, {"gain"}};
  const bool bytes = cost.bytes_read != 0;
  if (bytes) {
    columns.push_back({"GB/s", Align::right});
    columns.push_back({"of memory", Align::right});
  }
  if (cost.operations > 0.0) {
    columns.push_back({"GFLOPS", Align::right});
  }
  if (cost.pixels > 0.0) {
    columns.push_back({"Mpixel/s", Align::right});
  }
  columns.push_back({"launches", Align::right});
  columns.push_back({"note"});
  report::Table table(columns);
  std::vector<report::Bar> chart;
  const auto add = [&](const Measured& row, bool is_memory) {
    std::vector<std::string> cells = {row.name};
    const bool timed = row.timed();
    cells.push_back(timed ? milliseconds(row.time_ms.median) : "-");
    cells.push_back(
        timed ? fmt::format("{} .. {}", milliseconds(row.time_ms.interval.low), milliseconds(row.time_ms.interval.high))
              : "");
    cells.push_back(row.relative ? fmt::format("{:.2f}x", row.relative->median) : "");
    cells.push_back(gain_text(row));
    if (bytes) {
      cells.push_back(rate(gigabytes_per_second(cost, row)));
      cells.push_back(row.bandwidth_fraction ? fmt::format("{:.1f} %", 100.0 * row.bandwidth_fraction->median) : "");
    }
    if (cost.operations > 0.0) {
      cells.push_back(is_memory ? "" : rate(gigaflops(cost, row)));
    }
    if (cost.pixels > 0.0) {
      cells.push_back(is_memory ? "" : rate(megapixels_per_second(cost, row)));
    }
    cells.push_back(timed ? std::to_string(row.launches) : "");
    cells.push_back(note_of(row));
    table.add(std::move(cells));
    if (timed) {
      chart.push_back({row.name, row.time_ms.median, milliseconds(row.time_ms.median) + " ms"});
    }
  };
  for (const Measured& row : benchmark.methods) {
    add(row, false);
  }
  if (benchmark.stream) {
    add(*benchmark.stream, true);
  }
  std::string text = benchmark.algorithm + ": " + report::printable(benchmark.title);
  if (benchmark.count != 0) {
    text += fmt::format(", n = {}", benchmark.count);
  }
  text += fmt::format("; {} set{} of arrays\n{}", benchmark.sets, benchmark.sets == 1 ? "" : "s", table.text());
  if (bytes) {
    text += fmt::format("GB/s: {}; memory: a kernel that {}, as many bytes\n", cost.bytes_formula,
                        benchmark.stream ? benchmark.stream->note : "moves");
  }
  if (cost.operations > 0.0) {
    text += fmt::format("GFLOPS: {} operations\n", cost.operations_formula);
  }
  return text + stop_text(benchmark) + "\n\n" + report::bars(chart);
}

std::string exchange_table(const Exchange& exchange) {
  std::set<std::uint32_t> threads;
  for (const auto& row : exchange.rows) {
    threads.insert(row.threads);
  }
  std::vector<report::Column> columns = {{"step"}};
  for (const std::uint32_t number : threads) {
    columns.push_back({fmt::format("{}", number), Align::right});
  }
  columns.push_back({"meaning"});
  report::Table latency(columns);
  report::Table cycles(columns);
  report::Table throughput(columns);
  bool any_throughput = false;
  std::string faults;
  for (const auto& kind : measure::exchange_kinds) {
    std::vector<std::string> times = {std::string(kind.name)};
    std::vector<std::string> ticks = times;
    std::vector<std::string> rates = times;
    for (const std::uint32_t number : threads) {
      const auto* const row = exchange.find(kind.name, number);
      times.push_back(nanoseconds(row));
      ticks.push_back(row != nullptr && row->cycles ? fmt::format("{:.1f}", *row->cycles) : "-");
      rates.push_back(row != nullptr && row->per_second ? fmt::format("{:#.3g}", *row->per_second / 1e9) : "-");
      any_throughput = any_throughput || (row != nullptr && row->per_second);
    }
    for (auto* const cells : {&times, &ticks, &rates}) {
      cells->emplace_back(kind.meaning);
    }
    latency.add(times);
    cycles.add(ticks);
    throughput.add(rates);
  }
  std::vector<std::string> store = {"store"};
  for (const std::uint32_t number : threads) {
    const auto left = exchange.store_nanoseconds(number);
    store.push_back(left ? fmt::format("{:#.3g}", *left) : "-");
  }
  store.emplace_back("groupshared, less two barriers (without what they take along: none) and a load");
  latency.add(store);
  std::set<std::string> reasons;
  for (const auto& row : exchange.rows) {
    if (!row.fault.empty()) {
      faults += fmt::format("WRONG, not timed: {} with {} threads: {}\n", row.kind, row.threads, row.fault);
    }
    if (!row.note.empty() && reasons.insert(row.note).second) {
      faults += fmt::format("not timed: {} with {} threads and others: {}\n", row.kind, row.threads, row.note);
    }
  }
  std::string text = fmt::format(
      "exchange: nanoseconds of a step in a chain of dependent ones, by threads of a group; waves of {} lanes\n{}",
      exchange.wave_size, latency.text());
  text += exchange.clock_note.empty() ? "\nthe same in cycles of the processor's own clock\n" + cycles.text()
                                      : fmt::format("\nno cycles: {}\n", exchange.clock_note);
  if (any_throughput) {
    text += "\nbillions of steps of a thread in a second, with the device full\n" + throughput.text();
  }
  return text + faults;
}

std::string counts_table(const BenchCounts& counts) {
  report::Table table({{"method"},
                       {"lanes", Align::right},
                       {"instructions", Align::right},
                       {"groupshared", Align::right},
                       {"shuffles", Align::right},
                       {"bytes moved", Align::right},
                       {"barriers", Align::right},
                       {"conflicts", Align::right},
                       {"note"}});
  std::uint64_t elements = 0;
  for (const auto& row : counts.rows) {
    elements = row.count;
    const auto each = [&](std::uint64_t number) {
      return fmt::format("{:.3f}", static_cast<double>(number) / static_cast<double>(row.count));
    };
    table.add({std::string(name(row.method)), std::to_string(row.wave_size), each(row.counts.total().lanes),
               each(row.groupshared_accesses()), each(row.shuffles()),
               each(row.counts.buffer_reads.bytes + row.counts.buffer_writes.bytes),
               fmt::format("{:.2f}", static_cast<double>(row.counts.barriers) /
                                         static_cast<double>(std::max<std::uint64_t>(row.waves(), 1))),
               fmt::format("{:.2f}", row.banks.conflict_factor()), row.note});
  }
  return fmt::format(
      "{}: counted on the wave machine, for each of {} elements; barriers for each wave; bank turns for each "
      "access of 32 lanes to groupshared memory\n{}",
      counts.algorithm, elements, table.text());
}

std::string bench_text(const BenchReport& report, const std::vector<measure::Comparison>& comparisons) {
  std::string text;
  for (const BenchRun& run : report.runs) {
    text += environment(run) + (report.hot ? "hot: one set of arrays\n" : "cold: sets of arrays in rotation\n");
    text += benchmarks_text(run.benchmarks);
    if (run.exchange) {
      text += '\n' + exchange_table(*run.exchange);
    }
    text += '\n';
  }
  for (const BenchCounts& counts : report.counts) {
    text += counts_table(counts) + '\n';
  }
  for (const std::string& note : report.notes) {
    text += "note: " + report::printable(note) + '\n';
  }
  return comparisons.empty() ? text : text + comparison_text(comparisons);
}

std::string bench_csv(const BenchReport& report) {
  std::string text =
      "device,wave_size,algorithm,element,count,method,median_ms,low_ms,high_ms,relative,gb_per_s,gflops,mpixel_per_s,"
      "memory_fraction,launches,rounds,fault,note\n";
  const auto quoted = [](std::string cell) {
    for (std::size_t at = 0; (at = cell.find('"', at)) != std::string::npos; at += 2) {
      cell.insert(at, 1, '"');
    }
    return '"' + cell + '"';
  };
  const auto number = [](std::optional<double> value) { return value ? fmt::format("{}", *value) : std::string(); };
  for (const BenchRun& run : report.runs) {
    for (const Benchmark& benchmark : run.benchmarks) {
      for (const Measured& row : benchmark.methods) {
        const auto& cost = benchmark.cost;
        const auto of_time = [&](double value) { return row.timed() ? fmt::format("{}", value) : std::string(); };
        const auto median = [](const std::optional<measure::Estimate>& estimate) {
          return estimate ? std::optional(estimate->median) : std::nullopt;
        };
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", quoted(run.device.name),
                            run.wave_size, benchmark.algorithm, quoted(benchmark.element), benchmark.count,
                            quoted(row.name), of_time(row.time_ms.median), of_time(row.time_ms.interval.low),
                            of_time(row.time_ms.interval.high), number(median(row.relative)),
                            number(gigabytes_per_second(cost, row)), number(gigaflops(cost, row)),
                            number(megapixels_per_second(cost, row)), number(median(row.bandwidth_fraction)),
                            row.launches, row.times_ms.size(), quoted(row.fault), quoted(row.note));
      }
    }
  }
  return text;
}

}  // namespace crosslane::cli
