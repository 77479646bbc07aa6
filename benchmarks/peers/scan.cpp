// Scans u32 arrays with Crosslane's methods and with CUB, side by side: both on the same data, in the same process,
// taking turns sample by sample, each sample some repeats over buffers in rotation between two clock readings of the
// device.
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "crosslane/scan.hpp"
#include "crosslane/vulkan.hpp"
#include "measure/hash_fill.hpp"
#include "measure/median.hpp"
#include "peers.hpp"
#include "scan_cub.hpp"

namespace {

using crosslane::Buffer;
using crosslane::Method;
using crosslane::ScanPasses;
using crosslane::measure::median;
using peers::percentile;
using peers::value_or_exit;

struct Options {
  std::vector<std::uint64_t> counts = {std::uint64_t{1} << 24U, std::uint64_t{1} << 28U};
  int sets = 4;
  int samples = 31;
  std::string json;
  bool huge = false;
};

/// Crosslane's side: `sets` pairs of arrays, one plan per method.
class OurScan {
 public:
  OurScan(crosslane::Device& device, std::uint64_t count, int sets, int repeats)
      : device_(device), count_(count), repeats_(repeats) {
    for (int set = 0; set < sets; ++set) {
      inputs_.push_back(value_or_exit(device.create_buffer({count * 4})));
      outputs_.push_back(value_or_exit(device.create_buffer({count * 4})));
      value_or_exit(
          crosslane::measure::fill_with_hashes(device, *inputs_.back(), count, static_cast<std::uint32_t>(set)));
    }
    for (const Method method : crosslane::all_methods) {
      crosslane::ScanOptions options;
      options.method = method;
      add(std::string(crosslane::name(method)), options);
    }
    crosslane::ScanOptions options;
    options.method = Method::shuffle;
    options.passes = ScanPasses::several;
    add("shuffle, several passes", options);
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, plan] : plans_) {
      all.push_back(name);
    }
    return all;
  }

  /// Milliseconds of one scan of `repeats`, each beginning when the one before has finished.
  double time(const std::string& name) {
    auto list = value_or_exit(device_.create_command_list());
    value_or_exit(list->timestamp());
    for (int repeat = 0; repeat < repeats_; ++repeat) {
      const auto set = static_cast<std::size_t>(repeat) % inputs_.size();
      value_or_exit(list->barrier());
      value_or_exit(plans_.at(name).record(*list, *inputs_[set], 0, count_, *outputs_[set]));
    }
    value_or_exit(list->timestamp());
    value_or_exit(crosslane::run(device_, *list));
    const auto times = value_or_exit(device_.timestamps(*list));
    return (times[1] - times[0]) / repeats_;
  }

  std::vector<std::uint32_t> results(std::size_t set) {
    std::vector<std::uint32_t> words(count_);
    value_or_exit(crosslane::download(device_, *outputs_[set], std::as_writable_bytes(std::span(words))));
    return words;
  }

 private:
  void add(const std::string& name, const crosslane::ScanOptions& options) {
    plans_.emplace(name, value_or_exit(crosslane::Scan::create(device_, options)));
  }

  crosslane::Device& device_;
  std::uint64_t count_;
  int repeats_;
  std::vector<std::unique_ptr<Buffer>> inputs_;
  std::vector<std::unique_ptr<Buffer>> outputs_;
  std::map<std::string, crosslane::Scan> plans_;
};

void verify(const std::vector<std::uint32_t>& results, std::uint32_t first, std::string_view who) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    sum += crosslane::measure::hash_word(first, i);
    if (results[i] != sum) {
      std::cerr << fmt::format("peers: {} gave {} for element {}, {} is right\n", who, results[i], i, sum);
      std::exit(1);
    }
  }
}

nlohmann::json compare(crosslane::Device& device, std::uint64_t count, const Options& options) {
  // Enough repeats that a sample lasts about a millisecond, and every set is used as often as any other.
  const auto wanted = (std::uint64_t{1} << 28U) / count / static_cast<std::uint64_t>(options.sets);
  const int repeats = static_cast<int>(std::clamp<std::uint64_t>(wanted, 1, 128)) * options.sets;
  OurScan ours(device, count, options.sets, repeats);
  peers::CubScan cub(count, options.sets, repeats);
  std::map<std::string, std::vector<double>> times;
  for (int sample = -5; sample < options.samples; ++sample) {  // the first five warm up
    std::map<std::string, double> now = {{"copy", cub.time_copy()}, {"CUB", cub.time_scan()}};
    for (const std::string& name : ours.names()) {
      now[name] = ours.time(name);
      if (sample == -5) {
        verify(ours.results(0), 0, name);
      }
    }
    if (sample >= 0) {
      for (const auto& [who, time] : now) {
        times[who].push_back(time);
      }
    }
  }
  verify(cub.results(options.sets - 1), static_cast<std::uint32_t>(options.sets - 1), "CUB");
  verify(ours.results(static_cast<std::size_t>(options.sets) - 1), static_cast<std::uint32_t>(options.sets - 1),
         "the last method");
  const double copy = median(times.at("copy"));
  const double of_cub = median(times.at("CUB"));
  nlohmann::json rows = nlohmann::json::array();
  fmt::print("\nn = {} ({} sets, {} repeats a sample, {} samples)\n", count, options.sets, repeats, options.samples);
  fmt::print("{:<28} {:>10} {:>22} {:>9} {:>8} {:>13}\n", "", "median us", "5 % .. 95 %", "GB/s", "vs CUB",
             "of copy rate");
  for (const auto& [who, values] : times) {
    const double middle = median(values);
    rows.push_back({{"who", who},
                    {"median_us", middle * 1e3},
                    {"p05_us", percentile(values, 0.05) * 1e3},
                    {"p95_us", percentile(values, 0.95) * 1e3},
                    {"ratio_to_cub", of_cub / middle},
                    {"fraction_of_copy", copy / middle}});
    fmt::print("{:<28} {:>10.2f} {:>10.2f} .. {:>8.2f} {:>9.0f} {:>7.3f}x {:>12.1f}%\n", who, middle * 1e3,
               percentile(values, 0.05) * 1e3, percentile(values, 0.95) * 1e3,
               static_cast<double>(count) * 8 / (middle * 1e6), of_cub / middle, 100 * copy / middle);
  }
  return {{"count", count}, {"repeats", repeats}, {"samples", options.samples}, {"rows", rows}};
}

/// 2^32 elements, made on the device and scanned once by each method; all of them compared with the host's scan.
void scan_huge(crosslane::Device& device) {
  const std::uint64_t count = std::uint64_t{1} << 32U;
  OurScan ours(device, count, 1, 1);
  for (const std::string& name : ours.names()) {
    ours.time(name);
    const double time = ours.time(name);
    verify(ours.results(0), 0, name);
    fmt::print("2^32 elements, {:<28} {:>9.3f} ms  {:>6.0f} GB/s  right\n", name, time,
               static_cast<double>(count) * 8 / (time * 1e6));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Crosslane's scan and CUB's, side by side");
  app.add_option("--count", options.counts, "elements");
  app.add_option("--sets", options.sets, "buffers in rotation");
  app.add_option("--samples", options.samples, "samples after warm-up");
  app.add_option("--json", options.json, "also write the numbers to this file");
  app.add_flag("--huge", options.huge, "also scan 2^32 elements");
  CLI11_PARSE(app, argc, argv);

  const auto instance = value_or_exit(crosslane::vulkan::create_instance());
  const auto device = peers::open_gpu(*instance);
  fmt::print("{}, Vulkan driver {}\n", device->info().name, device->info().driver_version);
  nlohmann::json report = {
      {"device", device->info().name}, {"driver", device->info().driver_version}, {"runs", nlohmann::json::array()}};
  for (const std::uint64_t count : options.counts) {
    report["runs"].push_back(compare(*device, count, options));
  }
  if (options.huge) {
    scan_huge(*device);
  }
  if (!options.json.empty()) {
    std::ofstream(options.json) << report.dump(2) << '\n';
  }
  return 0;
}
