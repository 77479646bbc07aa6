#include "measure/benchmark.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>

#include "measure/sampler.hpp"

namespace crosslane::measure {
namespace {

void conclude(Measured& row, std::vector<double> times, const std::vector<double>& first) {
  row.times_ms = std::move(times);
  row.time_ms = estimate_median(row.times_ms);
  row.relative = estimate_ratio(first, row.times_ms);
  row.drift = find_drift(row.times_ms);
  row.outliers = outliers(row.times_ms);
}

// The method's row, and its work where it can be timed.
Expected<std::optional<Work>> prepare(Device& device, const Workload& workload, Method method, bool verify,
                                      Measured& row) {
  row.name = name(method);
  auto work = workload.make(method);
  if (!work && work.error().code == ErrorCode::unsupported) {
    row.note = work.error().message;
    return std::optional<Work>();
  }
  if (!work) {
    return tl::unexpected(std::move(work.error()));
  }
  row.note = work->note;
  const auto launches = count_launches(*work);
  auto fault = verify ? verify_work(device, *work) : Expected<std::string>("");
  if (!launches || !fault) {
    return tl::unexpected(launches ? fault.error() : launches.error());
  }
  row.launches = *launches;
  row.fault = *std::move(fault);
  return row.fault.empty() ? std::optional<Work>(*std::move(work)) : std::nullopt;
}

}  // namespace

const Measured* Benchmark::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(methods, [&](const Measured& row) { return row.name == name && row.timed(); });
  return found == methods.end() ? nullptr : &*found;
}

bool Benchmark::right() const {
  return std::ranges::all_of(methods, [](const Measured& row) { return row.fault.empty(); });
}

std::optional<Estimate> gain_of(const Benchmark& benchmark) {
  const Measured* const groupshared = benchmark.find(name(Method::groupshared));
  const Measured* const shuffle = benchmark.find(name(Method::shuffle));
  if (groupshared == nullptr || shuffle == nullptr) {
    return std::nullopt;
  }
  Estimate gain = estimate_ratio(groupshared->times_ms, shuffle->times_ms);
  for (double* const value : {&gain.median, &gain.interval.low, &gain.interval.high}) {
    *value -= 1.0;
  }
  return gain;
}

Expected<Stop> measure_in_turns(Device& device, std::vector<Measured>& rows, const std::vector<const Work*>& works,
                                std::size_t sets, const BenchmarkOptions& options) {
  Rotation rotation(sets);
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < works.size(); ++i) {
    const auto repeats = repeats_lasting(device, *works[i], rotation, options.sample_ms);
    if (!repeats) {
      return tl::unexpected(repeats.error());
    }
    rows[i].repeats = *repeats;
    samples.emplace_back([&device, &rotation, work = works[i], repeats = *repeats] {
      return time_repeats(device, *work, rotation, repeats);
    });
  }
  auto rounds = take_turns(samples, options.rounds);
  if (!rounds) {
    return tl::unexpected(std::move(rounds.error()));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    conclude(rows[i], rounds->times_ms[i], rounds->times_ms.front());
  }
  return rounds->stop;
}

Expected<Benchmark> run_benchmark(Device& device, const Workload& workload, const BenchmarkOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Benchmark result{workload.algorithm,
                   workload.title,
                   workload.work.empty() ? workload.title : workload.work,
                   workload.element,
                   workload.count,
                   workload.cost,
                   workload.sets,
                   {},
                   {},
                   Stop::narrow,
                   0.0};
  std::deque<Work> prepared;  // which stay where they are
  std::vector<Measured> rows;
  std::vector<const Work*> works;
  std::vector<std::size_t> places;
  for (const Method method : workload.methods) {
    if (std::ranges::find(options.methods, method) == options.methods.end()) {
      continue;
    }
    Measured& row = result.methods.emplace_back();
    auto work = prepare(device, workload, method, options.verify, row);
    if (!work) {
      return tl::unexpected(std::move(work.error()));
    }
    if (*work) {
      works.push_back(&prepared.emplace_back(**std::move(work)));
      rows.push_back(row);
      places.push_back(result.methods.size() - 1);
    }
  }
  if (works.empty()) {
    return result;
  }
  if (options.bandwidth) {
    auto stream = make_stream(device, workload);
    if (!stream) {
      return tl::unexpected(std::move(stream.error()));
    }
    Measured& row = rows.emplace_back();
    row.name = "memory";
    row.note = stream->note;
    row.launches = count_launches(*stream).value_or(0);
    works.push_back(&prepared.emplace_back(*std::move(stream)));
  }
  const auto stop = measure_in_turns(device, rows, works, workload.sets, options);
  if (!stop) {
    return tl::unexpected(stop.error());
  }
  result.stop = *stop;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (options.bandwidth) {
      rows[i].bandwidth_fraction = estimate_ratio(rows.back().times_ms, rows[i].times_ms);
    }
    result.methods[places[i]] = rows[i];
  }
  if (options.bandwidth) {
    result.stream = rows.back();
    result.stream->relative.reset();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace crosslane::measure
