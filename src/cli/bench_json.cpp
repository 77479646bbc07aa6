// The JSON of `crosslane bench`.
#include <utility>

#include "cli/bench_output.hpp"
#include "cli/counters_output.hpp"
#include "cli/version.hpp"

namespace crosslane::cli {
namespace {

using measure::Benchmark;
using measure::Measured;
using report::exact;
using report::Json;

Json optional_number(std::optional<double> value) { return value ? exact(*value) : Json(); }

Json optional_estimate(const std::optional<measure::Estimate>& estimate) {
  return estimate ? estimate_json(*estimate) : Json();
}

Json measured_json(const measure::WorkCost& cost, const Measured& row) {
  Json json = {{"name", row.name}, {"note", row.note}, {"fault", row.fault}, {"timed", row.timed()}};
  json["launches"] = row.launches;
  json["repeats"] = row.repeats;
  json["time_ms"] = row.timed() ? estimate_json(row.time_ms) : Json();
  json["relative"] = optional_estimate(row.relative);
  json["gb_per_s"] = optional_number(gigabytes_per_second(cost, row));
  json["gflops"] = optional_number(gigaflops(cost, row));
  json["mpixel_per_s"] = optional_number(megapixels_per_second(cost, row));
  json["memory_fraction"] = optional_estimate(row.bandwidth_fraction);
  json["drift"] = {{"relative", exact(row.drift.relative)}, {"significant", row.drift.significant}};
  json["outliers"] = row.outliers;
  json["times_ms"] = row.times_ms;
  return json;
}

Json benchmark_json(const Benchmark& benchmark) {
  const measure::WorkCost& cost = benchmark.cost;
  Json json = {{"algorithm", benchmark.algorithm}, {"title", benchmark.title}, {"work", benchmark.work}};
  json["element"] = benchmark.element;
  json["count"] = exact(benchmark.count);
  json["bytes_read"] = exact(cost.bytes_read);
  json["bytes_written"] = exact(cost.bytes_written);
  json["bytes_formula"] = cost.bytes_formula;
  json["operations"] = exact(cost.operations);
  json["operations_formula"] = cost.operations_formula;
  json["pixels"] = exact(cost.pixels);
  json["sets"] = benchmark.sets;
  json["stop"] = measure::name(benchmark.stop);
  json["seconds"] = exact(benchmark.seconds);
  json["methods"] = Json::array();
  for (const Measured& row : benchmark.methods) {
    json["methods"].push_back(measured_json(cost, row));
  }
  json["memory"] = benchmark.stream ? measured_json(cost, *benchmark.stream) : Json();
  return json;
}

Json exchange_json(const measure::Exchange& exchange) {
  Json json = {{"wave_size", exchange.wave_size}, {"steps", exchange.steps}, {"clock_note", exchange.clock_note}};
  json["rows"] = Json::array();
  for (const auto& row : exchange.rows) {
    json["rows"].push_back({{"kind", row.kind},
                            {"threads", row.threads},
                            {"nanoseconds", optional_estimate(row.nanoseconds)},
                            {"cycles", optional_number(row.cycles)},
                            {"steps_per_second", optional_number(row.per_second)},
                            {"fault", row.fault},
                            {"note", row.note}});
  }
  return json;
}

Json counts_json(const BenchCounts& counts) {
  Json json = {{"algorithm", counts.algorithm}, {"rows", Json::array()}};
  for (const auto& row : counts.rows) {
    json["rows"].push_back({{"method", name(row.method)},
                            {"wave_size", row.wave_size},
                            {"count", exact(row.count)},
                            {"waves", exact(row.waves())},
                            {"groupshared_accesses", exact(row.groupshared_accesses())},
                            {"shuffles", exact(row.shuffles())},
                            {"bank_turns_least", exact(row.banks.least)},
                            {"bank_turns", exact(row.banks.turns)},
                            {"conflict_factor", exact(row.banks.conflict_factor())},
                            {"note", row.note},
                            {"counters", counters_json(row.counts)}});
  }
  return json;
}

}  // namespace

Json estimate_json(const measure::Estimate& estimate) {
  return {{"median", exact(estimate.median)},
          {"low", exact(estimate.interval.low)},
          {"high", exact(estimate.interval.high)}};
}

Json bench_json(const BenchReport& report, const std::vector<measure::Comparison>& comparisons) {
  Json json = report::document();
  json["crosslane"] = version();
  json["cold"] = !report.hot;
  json["runs"] = Json::array();
  for (const BenchRun& run : report.runs) {
    Json one = {{"device", report::device_summary(run.device)}, {"wave_size", run.wave_size}};
    one["benchmarks"] = Json::array();
    for (const Benchmark& benchmark : run.benchmarks) {
      one["benchmarks"].push_back(benchmark_json(benchmark));
    }
    one["exchange"] = run.exchange ? exchange_json(*run.exchange) : Json();
    json["runs"].push_back(std::move(one));
  }
  json["counts"] = Json::array();
  for (const BenchCounts& counts : report.counts) {
    json["counts"].push_back(counts_json(counts));
  }
  json["comparisons"] = Json::array();
  for (const auto& one : comparisons) {
    json["comparisons"].push_back({{"what", one.what},
                                   {"before_ms", estimate_json(one.before)},
                                   {"now_ms", estimate_json(one.now)},
                                   {"ratio", estimate_json({one.ratio, one.interval})},
                                   {"regression", one.regression}});
  }
  json["notes"] = report.notes;
  return json;
}

}  // namespace crosslane::cli
