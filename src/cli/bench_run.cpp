#include "cli/bench_run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "algorithms/wave_size.hpp"
#include "cli/device_choice.hpp"
#include "cli/flag_checks.hpp"
#include "cli/loop_limit.hpp"
#include "cli/verification_store.hpp"
#include "device/gather.hpp"

namespace crosslane::cli {
namespace {

using measure::measured_algorithms;
using measure::MeasuredAlgorithm;

std::vector<const MeasuredAlgorithm*> algorithms_of(const std::string& what) {
  std::vector<const MeasuredAlgorithm*> named;
  for (const MeasuredAlgorithm& algorithm : measured_algorithms()) {
    if (what == "all" || what == algorithm.name) {
      named.push_back(&algorithm);
    }
  }
  return named;
}

measure::BenchmarkOptions options_of(const BenchFlags& flags) {
  measure::BenchmarkOptions options;
  options.rounds = flags.measure.rounds();
  if (flags.method != "all") {
    std::erase_if(options.methods, [&](Method method) { return name(method) != flags.method; });
  }
  return options;
}

// The sizes asked for; without them the device's own.
std::vector<std::optional<std::uint32_t>> wave_sizes_of(const BenchFlags& flags) {
  std::vector<std::optional<std::uint32_t>> sizes(flags.wave_sizes.begin(), flags.wave_sizes.end());
  return sizes.empty() ? std::vector<std::optional<std::uint32_t>>{std::nullopt} : sizes;
}

Expected<void> check_method(const BenchFlags& flags, const measure::Workload& workload) {
  const bool has = std::ranges::any_of(workload.methods, [&](Method method) { return name(method) == flags.method; });
  if (flags.method == "all" || has) {
    return {};
  }
  return fail(ErrorCode::invalid_argument, fmt::format("--method {}: {} has no such method: take another one, or all",
                                                       flags.method, workload.algorithm));
}

Expected<void> bench_algorithms(Device& device, const BenchFlags& flags, std::optional<std::uint32_t> wave_size,
                                const Console& console, BenchRun& run) {
  for (const MeasuredAlgorithm* const algorithm : algorithms_of(flags.what)) {
    report_progress(console, fmt::format("measuring {} on {} …", algorithm->name, device.info().id));
    auto options = flags.measure.workload(flags.what == "all" ? algorithm : nullptr);
    options.wave_size = wave_size;
    auto result = algorithm->make(device, options).and_then([&](const measure::Workload& workload) {
      return check_method(flags, workload).and_then([&] {
        return measure::run_benchmark(device, workload, options_of(flags));
      });
    });
    if (!result) {
      return tl::unexpected(std::move(result.error()));
    }
    run.benchmarks.push_back(*std::move(result));
  }
  return {};
}

Expected<BenchRun> bench_device(Device& device, const BenchFlags& flags, std::optional<std::uint32_t> wave_size,
                                const Console& console, std::vector<std::string>& notes) {
  if (const auto sensible = check_wave_size(device.info(), wave_size); !sensible) {
    return fail(ErrorCode::invalid_argument, "--wave-sizes: " + sensible.error().message);
  }
  BenchRun run{device.info(), wave_size.value_or(device.info().wave_sizes.standard), {}, {}};
  if (flags.pair.given()) {
    auto pair = load_shader_pair(flags.pair, device, flags.measure.hot, wave_size);
    if (!pair) {
      return tl::unexpected(std::move(pair.error()));
    }
    notes.insert(notes.end(), pair->notes.begin(), pair->notes.end());
    measure::BenchmarkOptions options;
    options.rounds = flags.measure.rounds();
    options.bandwidth = false;  // nobody knows what the shaders must move
    return measure::run_benchmark(device, pair->workload, options).map([&](measure::Benchmark benchmark) {
      name_pair(flags.pair, benchmark);
      run.benchmarks.push_back(std::move(benchmark));
      return std::move(run);
    });
  }
  if (auto done = bench_algorithms(device, flags, wave_size, console, run); !done) {
    return tl::unexpected(std::move(done.error()));
  }
  if (flags.what == "exchange" || (flags.what == "all" && !wave_size)) {
    auto exchange = bench_exchange(device, flags.measure, console);
    if (!exchange) {
      return tl::unexpected(std::move(exchange.error()));
    }
    run.exchange = *std::move(exchange);
  }
  return run;
}

Expected<std::vector<BenchCounts>> count_all(const BenchFlags& flags, const Console& console) {
  constexpr std::uint64_t elements = 1U << 16U;
  const std::vector<std::uint32_t> article = {16, 32, 64};
  std::vector<BenchCounts> counts;
  for (const MeasuredAlgorithm* const algorithm : algorithms_of(flags.what)) {
    report_progress(console, fmt::format("counting what {} does …", algorithm->name));
    auto options = flags.measure.workload(algorithm);
    options.count = std::min(options.count.value_or(elements), elements);
    auto rows = measure::count_algorithm(*algorithm, options, flags.wave_sizes.empty() ? article : flags.wave_sizes);
    if (!rows) {
      return tl::unexpected(std::move(rows.error()));
    }
    counts.push_back({std::string(algorithm->name), *std::move(rows)});
  }
  return counts;
}

}  // namespace

measure::WorkloadOptions MeasureFlags::workload(const MeasuredAlgorithm* algorithm) const {
  measure::WorkloadOptions options;
  options.count = size;
  options.hot = hot;
  options.points = points;
  for (const ScalarType candidate : all_scalar_types) {
    // Where all are measured, each takes the type if it can.
    if (name(candidate) == type && (algorithm == nullptr || algorithm->takes(candidate))) {
      options.type = candidate;
    }
  }
  return options;
}

measure::RoundsOptions MeasureFlags::rounds() const {
  measure::RoundsOptions options;
  options.least_seconds = min_seconds;
  options.most_seconds = std::max(min_seconds, max_seconds);
  return options;
}

void add_measure_flags(CLI::App& parser, MeasureFlags& flags) {
  std::vector<std::string> types;
  types.reserve(all_scalar_types.size());
  for (const ScalarType type : all_scalar_types) {
    types.emplace_back(name(type));
  }
  parser.add_option("--size", flags.size, "Elements; 2^24 on a GPU, 2^18 elsewhere if not given")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 32U));
  parser.add_option("--type", flags.type, "Type of the elements; u32, for fft f32 if not given")
      ->check(CLI::IsMember(types));
  parser.add_option("--points", flags.points, "Points of each Fourier transform, 2 to 4096")->capture_default_str();
  parser.add_option("--device", flags.device, "auto, all, an id as vulkan:0, or a part of the device's name")
      ->capture_default_str();
  auto* const hot = parser.add_flag("--hot", flags.hot, "One set of arrays, which stays in the caches if it fits");
  parser
      .add_flag("--cold", flags.cold,
                "Sets of arrays in rotation, so that the caches hold nothing of them; so if not given")
      ->excludes(hot);
  parser.add_option("--min-time", flags.min_seconds, "Seconds to measure at least")
      ->check(CLI::Range(0.0, 3600.0))
      ->check(check_number);
  add_loop_limit(parser, flags.iterations);
  parser.add_option("--max-time", flags.max_seconds, "Seconds after which no further round begins")
      ->check(CLI::Range(0.0, 3600.0))
      ->check(check_number)
      ->capture_default_str();
}

bool BenchRun::right() const {
  return (!exchange || exchange->right()) &&
         std::ranges::all_of(benchmarks, [](const measure::Benchmark& one) { return one.right(); });
}

bool BenchReport::right() const {
  return std::ranges::all_of(runs, [](const BenchRun& run) { return run.right(); });
}

Expected<std::vector<std::unique_ptr<Device>>> open_measured_devices(const MeasureFlags& flags,
                                                                     const Console& console) {
  const DeviceList list = gather_devices({.machine_iterations = flags.iterations});
  std::vector<std::unique_ptr<Device>> opened;
  if (flags.device != "all") {
    const VerificationStore store(VerificationStore::default_file());
    return choose_device(list, flags.device, store, console).map([&](std::unique_ptr<Device> device) {
      opened.push_back(std::move(device));
      return std::move(opened);
    });
  }
  for (std::size_t index = 0; index < list.devices().size(); ++index) {
    auto device = list.open(index);
    if (!device) {
      return tl::unexpected(std::move(device.error()));
    }
    opened.push_back(*std::move(device));
  }
  return opened;
}

Expected<measure::Exchange> bench_exchange(Device& device, const MeasureFlags& flags, const Console& console) {
  measure::ExchangeOptions options;
  options.rounds.least_seconds = flags.min_seconds;
  options.rounds.most_seconds = std::max(flags.min_seconds, std::min(options.rounds.most_seconds, flags.max_seconds));
  options.progress = [&](std::uint32_t threads) {
    report_progress(console,
                    fmt::format("measuring exchanges in groups of {} threads on {} …", threads, device.info().id));
  };
  return measure::measure_exchange(device, options);
}

Expected<BenchReport> run_bench(const BenchFlags& flags, const Console& console) {
  BenchReport report;
  report.hot = flags.measure.hot;
  const auto devices = open_measured_devices(flags.measure, console);
  if (!devices) {
    return tl::unexpected(devices.error());
  }
  for (const auto& device : *devices) {
    for (const auto wave_size : wave_sizes_of(flags)) {
      auto run = bench_device(*device, flags, wave_size, console, report.notes);
      if (!run) {
        return tl::unexpected(std::move(run.error()));
      }
      report.runs.push_back(*std::move(run));
    }
  }
  if (flags.counts && !flags.pair.given()) {
    auto counts = count_all(flags, console);
    if (!counts) {
      return tl::unexpected(std::move(counts.error()));
    }
    report.counts = *std::move(counts);
  }
  return report;
}

}  // namespace crosslane::cli
