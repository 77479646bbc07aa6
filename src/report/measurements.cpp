#include "report/measurements.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "report/json_node.hpp"
#include "report/printable.hpp"

namespace crosslane::report {
namespace {

Estimate read_estimate(const JsonNode& node) {
  return {node.at("median").number(), node.at("low").number(), node.at("high").number()};
}

std::optional<Estimate> find_estimate(const JsonNode& node, const std::string& key) {
  const auto found = node.find(key);
  return found ? std::optional(read_estimate(*found)) : std::nullopt;
}

std::optional<double> find_number(const JsonNode& node, const std::string& key) {
  const auto found = node.find(key);
  return found ? std::optional(found->number()) : std::nullopt;
}

std::string find_text(const JsonNode& node, const std::string& key) {
  const auto found = node.find(key);
  return found ? found->text() : "";
}

// A fault is worse to know of than a note.
std::string read_problem(const JsonNode& node) {
  const std::string fault = find_text(node, "fault");
  return fault.empty() ? find_text(node, "note") : fault;
}

// The same device may be in many documents: one with the same driver is the same.
std::size_t device_place(std::vector<MeasuredDevice>& devices, const JsonNode& node) {
  MeasuredDevice device;
  device.name = node.at("name").text();
  device.kind = node.at("kind").text();
  device.vendor = node.at("vendor").text();
  device.driver = node.at("driver").text();
  device.driver_version = node.at("driver_version").text();
  device.api_version = node.at("api_version").text();
  device.uuid = node.at("uuid").text();
  const JsonNode sizes = node.at("wave_sizes");
  device.least_wave_size = sizes.at("minimum").count();
  device.largest_wave_size = sizes.at("maximum").count();
  device.standard_wave_size = sizes.at("standard").count();
  const auto same = std::ranges::find_if(devices, [&](const MeasuredDevice& other) {
    return other.uuid == device.uuid && other.name == device.name && other.driver_version == device.driver_version;
  });
  if (same != devices.end()) {
    return static_cast<std::size_t>(same - devices.begin());
  }
  const auto namesakes = std::ranges::count(devices, device.name, &MeasuredDevice::name);
  device.label = namesakes == 0 ? device.name : fmt::format("{} ({})", device.name, namesakes + 1);
  devices.push_back(std::move(device));
  return devices.size() - 1;
}

MethodTime read_method(const JsonNode& node) {
  MethodTime method;
  method.name = node.at("name").text();
  method.problem = read_problem(node);
  method.time_ms = find_estimate(node, "time_ms");
  method.relative = find_estimate(node, "relative");
  method.gb_per_s = find_number(node, "gb_per_s");
  method.gflops = find_number(node, "gflops");
  method.mpixel_per_s = find_number(node, "mpixel_per_s");
  method.memory_fraction = find_estimate(node, "memory_fraction");
  method.launches = node.at("launches").count();
  method.samples = node.at("times_ms").items().size();
  method.outliers = node.at("outliers").items().size();
  method.drifted = node.at("drift").at("significant").flag();
  return method;
}

BenchmarkTimes read_benchmark(const JsonNode& node) {
  BenchmarkTimes benchmark;
  benchmark.algorithm = node.at("algorithm").text();
  benchmark.title = node.at("title").text();
  benchmark.work = find_text(node, "work");
  if (benchmark.work.empty()) {
    benchmark.work = benchmark.title;
  }
  benchmark.count = node.at("count").count();
  benchmark.bytes_formula = node.at("bytes_formula").text();
  benchmark.operations_formula = node.at("operations_formula").text();
  benchmark.stop = node.at("stop").text();
  for (const JsonNode& method : node.at("methods").items()) {
    benchmark.methods.push_back(read_method(method));
  }
  if (const auto memory = node.find("memory")) {
    benchmark.memory = read_method(*memory);
  }
  return benchmark;
}

ExchangeTime read_exchange(const JsonNode& node) {
  return {node.at("kind").text(),
          node.at("threads").count(),
          find_estimate(node, "nanoseconds"),
          find_number(node, "cycles"),
          find_number(node, "steps_per_second"),
          read_problem(node)};
}

void read_runs(Measurements& all, const JsonNode& document) {
  for (const JsonNode& node : document.at("runs").items()) {
    MeasuredRun run;
    run.device = device_place(all.devices, node.at("device"));
    run.wave_size = node.at("wave_size").count();
    // Merged documents tell these for each run.
    const auto cold = node.find("cold");
    run.cold = (cold ? *cold : document.at("cold")).flag();
    const auto crosslane = node.find("crosslane");
    run.crosslane = (crosslane ? *crosslane : document.at("crosslane")).text();
    for (const JsonNode& benchmark : node.at("benchmarks").items()) {
      run.benchmarks.push_back(read_benchmark(benchmark));
    }
    if (const auto exchange = node.find("exchange")) {
      run.clock_note = exchange->at("clock_note").text();
      for (const JsonNode& row : exchange->at("rows").items()) {
        run.exchange.push_back(read_exchange(row));
      }
    }
    all.runs.push_back(std::move(run));
  }
}

void read_counts(Measurements& all, const JsonNode& document) {
  for (const JsonNode& node : document.at("counts").items()) {
    const std::string algorithm = node.at("algorithm").text();
    for (const JsonNode& row : node.at("rows").items()) {
      const JsonNode counters = row.at("counters");
      CountedKernel kernel;
      kernel.algorithm = algorithm;
      kernel.method = row.at("method").text();
      kernel.wave_size = row.at("wave_size").count();
      kernel.count = row.at("count").count();
      kernel.waves = row.at("waves").count();
      kernel.instructions = counters.at("instructions").at("lanes").count();
      kernel.groupshared_accesses = row.at("groupshared_accesses").count();
      kernel.shuffles = row.at("shuffles").count();
      kernel.bytes = counters.at("buffer_reads_bytes").at("total").count() +
                     counters.at("buffer_writes_bytes").at("total").count();
      kernel.barriers = counters.at("barriers").at("total").count();
      kernel.conflict_factor = row.at("conflict_factor").number();
      kernel.note = row.at("note").text();
      all.counts.push_back(std::move(kernel));
    }
  }
}

void read_decisions(Measurements& all, const JsonNode& document) {
  for (const JsonNode& node : document.at("decisions").items()) {
    DecidedMethod decided;
    decided.device = device_place(all.devices, node.at("device"));
    decided.algorithm = node.at("algorithm").text();
    decided.title = node.at("title").text();
    decided.decision = node.at("decision").text();
    decided.reason = node.at("reason").text();
    for (const JsonNode& step : node.at("steps").items()) {
      const auto passed = step.find("passed");
      decided.steps.push_back({step.at("name").text(), passed ? std::optional(passed->flag()) : std::nullopt,
                               step.at("found").text(), step.at("reason").text()});
    }
    decided.gain = find_estimate(node, "gain");
    decided.threshold = node.at("threshold").number();
    decided.software = node.at("software").flag();
    all.decisions.push_back(std::move(decided));
  }
}

Measurements read_all(const JsonNode& document) {
  if (const auto version = document.at("schema_version").count(); version != schema_version) {
    throw BadValue(fmt::format("schema_version is {}, and this Crosslane reads {}", version, schema_version));
  }
  Measurements all;
  const bool runs = document.find("runs").has_value();
  const bool decisions = document.find("decisions").has_value();
  if (!runs && !decisions) {
    throw BadValue("runs and decisions are missing");
  }
  if (runs) {
    read_runs(all, document);
    read_counts(all, document);
  }
  if (decisions) {
    read_decisions(all, document);
  }
  if (const auto notes = document.find("notes")) {
    for (const JsonNode& note : notes->items()) {
      all.notes.push_back(note.text());
    }
  }
  return all;
}

void add_new(Json& list, const Json& item) {
  if (std::ranges::find(list, item) == list.end()) {
    list.push_back(item);
  }
}

}  // namespace

Expected<Measurements> read_measurements(const Json& document, const std::string& name) {
  try {
    return read_all(JsonNode(document));
  } catch (const BadValue& bad) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: {}: give what 'crosslane bench --json' or 'crosslane decide --json' wrote",
                            printable(name), bad.what()));
  }
}

Json merge_documents(const std::vector<Json>& documents) {
  Json merged = document();
  constexpr std::array lists = {"runs", "counts", "notes", "decisions"};
  for (const char* const list : lists) {
    merged[list] = Json::array();
  }
  for (const Json& one : documents) {
    for (const char* const list : lists) {
      for (Json item : one.value(list, Json::array())) {
        for (const char* const key : {"crosslane", "cold"}) {
          if (list == lists.front() && one.contains(key) && !item.contains(key)) {
            item[key] = one.at(key);
          }
        }
        add_new(merged[list], item);
      }
    }
  }
  return merged;
}

}  // namespace crosslane::report
