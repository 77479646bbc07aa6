#include "cli/bench_run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "algorithms/wave_size.hpp"
#include "cli/device_choice.hpp"
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

measure::BenchmarkOptions options_of(const BenchFlags& flags, Stages& stages) {
  measure::BenchmarkOptions options;
  options.rounds = flags.measure.rounds();
  options.rounds.progress = [&stages](double fraction) { stages.at(fraction); };
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

// Numbers of elements, rising.
std::vector<std::uint64_t> sizes_of(const BenchFlags& flags, const DeviceInfo& device) {
  constexpr std::uint64_t least = 256;
  constexpr std::uint64_t factor = 4;
  if (!flags.measure.sizes.empty()) {
    return flags.measure.sizes;
  }
  const std::uint64_t whole = flags.measure.size.value_or(measure::usual_count(device));
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = least; flags.scaling && size < whole; size *= factor) {
    sizes.push_back(size);
  }
  sizes.push_back(whole);
  return sizes;
}

bool measures_exchange(const BenchFlags& flags) {
  return flags.what == "exchange" ||
         (flags.what == "all" && flags.wave_sizes.empty() && !flags.pair.given() && !flags.csv);
}

std::size_t stages_of(const BenchFlags& flags, const std::vector<std::unique_ptr<Device>>& devices) {
  const std::size_t algorithms = flags.pair.given() ? 1 : algorithms_of(flags.what).size();
  std::size_t stages = flags.counts ? algorithms : 0;
  for (const auto& device : devices) {
    const std::size_t sizes = flags.pair.given() ? 1 : sizes_of(flags, device->info()).size();
    stages += wave_sizes_of(flags).size() * (algorithms * sizes + (measures_exchange(flags) ? 1 : 0));
  }
  return stages;
}

Expected<void> check_method(const BenchFlags& flags, const measure::Workload& workload) {
  const bool has = std::ranges::any_of(workload.methods, [&](Method method) { return name(method) == flags.method; });
  if (flags.method == "all" || has) {
    return {};
  }
  return fail(ErrorCode::invalid_argument, fmt::format("--method {}: {} has no such method: take another one, or all",
                                                       flags.method, workload.algorithm));
}

void add_note(std::vector<std::string>& notes, const std::string& note) {
  if (!note.empty() && std::ranges::find(notes, note) == notes.end()) {
    notes.push_back(note);
  }
}

// The sizes below the largest share the time of one.
measure::BenchmarkOptions for_size(measure::BenchmarkOptions options, bool largest, std::size_t sizes) {
  if (!largest) {
    options.rounds.most_seconds /= static_cast<double>(sizes - 1);
    options.rounds.least_seconds /= static_cast<double>(sizes - 1);
  }
  return options;
}

Expected<void> bench_algorithm(Device& device, const BenchFlags& flags, const MeasuredAlgorithm& algorithm,
                               std::optional<std::uint32_t> wave_size, Stages& stages, BenchRun& run) {
  const std::vector<std::uint64_t> sizes = sizes_of(flags, device.info());
  for (const std::uint64_t size : sizes) {
    stages.begin(fmt::format("measuring {} on {}", algorithm.name, device.info().id));
    auto options = flags.measure.workload(algorithm, size);
    options.wave_size = wave_size;
    auto workload = algorithm.make(device, options);
    if (!workload) {
      Error& error = workload.error();
      error.message = fmt::format("--size{} {}: {}", flags.measure.sizes.empty() ? "" : "s", size, error.message);
      return tl::unexpected(std::move(error));
    }
    if (auto has = check_method(flags, *workload); !has) {
      return has;
    }
    if (!run.benchmarks.empty() && run.benchmarks.back().algorithm == algorithm.name &&
        run.benchmarks.back().count == workload->count) {
      continue;  // whole transforms and images have fewer sizes
    }
    auto result = measure::run_benchmark(device, *workload,
                                         for_size(options_of(flags, stages), size == sizes.back(), sizes.size()));
    if (!result) {
      return tl::unexpected(std::move(result.error()));
    }
    run.benchmarks.push_back(*std::move(result));
  }
  return {};
}

Expected<void> bench_algorithms(Device& device, const BenchFlags& flags, std::optional<std::uint32_t> wave_size,
                                Stages& stages, BenchRun& run, std::vector<std::string>& notes) {
  for (const MeasuredAlgorithm* const algorithm : algorithms_of(flags.what)) {
    auto note = type_note(flags.measure, flags.what, *algorithm);
    if (!note) {
      return tl::unexpected(std::move(note.error()));
    }
    add_note(notes, *note);
    if (auto done = bench_algorithm(device, flags, *algorithm, wave_size, stages, run); !done) {
      return done;
    }
  }
  return {};
}

Expected<void> bench_pair(Device& device, const BenchFlags& flags, std::optional<std::uint32_t> wave_size,
                          Stages& stages, BenchRun& run, std::vector<std::string>& notes) {
  stages.begin(fmt::format("measuring '{}' and '{}' on {}", flags.pair.a, flags.pair.b, device.info().id));
  auto pair = load_shader_pair(flags.pair, device, flags.measure.hot, wave_size);
  if (!pair) {
    return tl::unexpected(std::move(pair.error()));
  }
  std::ranges::for_each(pair->notes, [&](const std::string& note) { add_note(notes, note); });
  measure::BenchmarkOptions options = options_of(flags, stages);
  options.bandwidth = false;  // nobody knows what the shaders must move
  return measure::run_benchmark(device, pair->workload, options).map([&](measure::Benchmark benchmark) {
    name_pair(flags.pair, benchmark);
    run.benchmarks.push_back(std::move(benchmark));
  });
}

// Within a second or so for each number of threads.
Expected<measure::Exchange> bench_exchange(Device& device, const MeasureFlags& flags, Stages& stages) {
  measure::ExchangeOptions options;
  options.rounds.least_seconds = flags.min_seconds;
  options.rounds.most_seconds = std::max(flags.min_seconds, std::min(options.rounds.most_seconds, flags.max_seconds));
  stages.begin(fmt::format("measuring exchanges between lanes on {}", device.info().id));
  std::size_t begun = 0;
  options.progress = [&](std::uint32_t /*threads*/) {
    stages.at(static_cast<double>(begun++) / static_cast<double>(options.threads.size()));
  };
  return measure::measure_exchange(device, options);
}

Expected<BenchRun> bench_device(Device& device, const BenchFlags& flags, std::optional<std::uint32_t> wave_size,
                                Stages& stages, std::vector<std::string>& notes) {
  if (const auto sensible = check_wave_size(device.info(), wave_size); !sensible) {
    return fail(ErrorCode::invalid_argument, "--wave-sizes: " + sensible.error().message);
  }
  BenchRun run{device.info(), wave_size.value_or(device.info().wave_sizes.standard), {}, {}};
  const auto done = flags.pair.given() ? bench_pair(device, flags, wave_size, stages, run, notes)
                                       : bench_algorithms(device, flags, wave_size, stages, run, notes);
  if (!done) {
    return tl::unexpected(done.error());
  }
  if (measures_exchange(flags)) {
    auto exchange = bench_exchange(device, flags.measure, stages);
    if (!exchange) {
      return tl::unexpected(std::move(exchange.error()));
    }
    run.exchange = *std::move(exchange);
  }
  return run;
}

Expected<std::vector<BenchCounts>> count_all(const BenchFlags& flags, Stages& stages) {
  constexpr std::uint64_t elements = 1U << 16U;
  const std::vector<std::uint32_t> article = {16, 32, 64};
  const std::vector<std::uint64_t>& sizes = flags.measure.sizes;
  const std::uint64_t asked = sizes.empty() ? flags.measure.size.value_or(elements) : sizes.back();
  std::vector<BenchCounts> counts;
  for (const MeasuredAlgorithm* const algorithm : algorithms_of(flags.what)) {
    stages.begin(fmt::format("counting what {} does", algorithm->name));
    const auto options = flags.measure.workload(*algorithm, std::min(asked, elements));
    auto rows = measure::count_algorithm(*algorithm, options, flags.wave_sizes.empty() ? article : flags.wave_sizes);
    if (!rows) {
      return tl::unexpected(std::move(rows.error()));
    }
    counts.push_back({std::string(algorithm->name), *std::move(rows)});
  }
  return counts;
}

}  // namespace

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

Expected<BenchReport> run_bench(const BenchFlags& flags, const Console& console) {
  BenchReport report;
  report.hot = flags.measure.hot;
  const auto devices = open_measured_devices(flags.measure, console);
  if (!devices) {
    return tl::unexpected(devices.error());
  }
  Stages stages(console, stages_of(flags, *devices));
  for (const auto& device : *devices) {
    for (const auto wave_size : wave_sizes_of(flags)) {
      auto run = bench_device(*device, flags, wave_size, stages, report.notes);
      if (!run) {
        return tl::unexpected(std::move(run.error()));
      }
      report.runs.push_back(*std::move(run));
    }
  }
  if (flags.counts && !flags.pair.given()) {
    auto counts = count_all(flags, stages);
    if (!counts) {
      return tl::unexpected(std::move(counts.error()));
    }
    report.counts = *std::move(counts);
  }
  return report;
}

}  // namespace crosslane::cli
