#include "cli/bench_baseline.hpp"

#include <algorithm>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "report/json.hpp"

namespace crosslane::cli {
namespace {

using report::Json;

constexpr int deepest_value = 12;

std::string same_work(const std::string& algorithm, const std::string& title, const std::string& count,
                      const std::string& wave_size, const std::string& cold, const std::string& method) {
  return fmt::format("{} ({}, n = {}, {} lanes, {}), {}", algorithm, title, count, wave_size, cold, method);
}

std::string number_text(const Json& json) { return json.is_string() ? json.get<std::string>() : json.dump(); }

std::string cold_text(bool cold) { return cold ? "cold" : "hot"; }

std::vector<BaselineRow> rows_of(const Json& json) {
  std::vector<BaselineRow> rows;
  const std::string cold = cold_text(json.at("cold").get<bool>());
  for (const Json& run : json.at("runs")) {
    for (const Json& benchmark : run.at("benchmarks")) {
      for (const Json& method : benchmark.at("methods")) {
        const Json& time = method.at("time_ms");
        if (time.is_null()) {
          continue;
        }
        const double median = time.at("median").get<double>();
        const double low = time.at("low").get<double>();
        const double high = time.at("high").get<double>();
        if (!(low > 0.0 && low <= median && median <= high)) {
          throw std::range_error("no times");
        }
        rows.push_back({run.at("device").at("name").get<std::string>(),
                        same_work(benchmark.at("algorithm").get<std::string>(),
                                  benchmark.at("title").get<std::string>(), number_text(benchmark.at("count")),
                                  number_text(run.at("wave_size")), cold, method.at("name").get<std::string>()),
                        {median, {low, high}}});
      }
    }
  }
  return rows;
}

}  // namespace

Expected<std::vector<BaselineRow>> read_baseline(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return fail(ErrorCode::invalid_input,
                fmt::format("--baseline {}: cannot be read: check path and permissions", file));
  }
  try {
    const auto shallow = [](int depth, Json::parse_event_t, const Json&) { return depth < deepest_value; };
    const Json json = Json::parse(stream, shallow, false);
    if (json.is_object() && json.value("schema_version", Json()) == report::schema_version) {
      return rows_of(json);
    }
  } catch (const std::exception&) {
    // As what is no JSON.
  }
  return fail(ErrorCode::invalid_input,
              fmt::format("--baseline {}: is not what 'crosslane bench --json' writes: save one with it", file));
}

std::vector<measure::Comparison> compare_with(const std::vector<BaselineRow>& baseline, const BenchReport& report,
                                              double tolerance) {
  std::vector<measure::Comparison> comparisons;
  for (const BenchRun& run : report.runs) {
    for (const measure::Benchmark& benchmark : run.benchmarks) {
      for (const measure::Measured& row : benchmark.methods) {
        const std::string what = same_work(benchmark.algorithm, benchmark.title, std::to_string(benchmark.count),
                                           std::to_string(run.wave_size), cold_text(!report.hot), row.name);
        const auto before = std::ranges::find_if(baseline, [&](const BaselineRow& candidate) {
          return candidate.device == run.device.name && candidate.what == what;
        });
        if (row.timed() && before != baseline.end()) {
          comparisons.push_back(measure::compare_times(what, before->time_ms, row.time_ms, tolerance));
        }
      }
    }
  }
  return comparisons;
}

}  // namespace crosslane::cli
