// Sums u32 arrays with Crosslane's three methods and with CUB, side by side: both on the same data, in the same
// process, taking turns sample by sample, each sample some repeats over buffers in rotation between two clock readings
// of the device. Three modes: every reduction waits for the one before; overlapping where they can; one alone between
// two clock readings.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "crosslane/reduction.hpp"
#include "crosslane/vulkan.hpp"
#include "measure/hash_fill.hpp"
#include "measure/median.hpp"
#include "peers.hpp"
#include "reduce_cub.hpp"

namespace {

using crosslane::Buffer;
using crosslane::Method;
using crosslane::measure::median;
using peers::percentile;
using peers::value_or_exit;

struct Options {
  std::vector<std::uint64_t> counts = {std::uint64_t{1} << 24U, std::uint64_t{1} << 28U};
  int sets = 4;
  int samples = 41;
  std::string json;
  bool huge = false;
};

/// Crosslane's side: `sets` arrays, one plan per method.
class OurReduce {
 public:
  OurReduce(crosslane::Device& device, std::uint64_t count, int sets, int repeats)
      : device_(device), count_(count), repeats_(repeats) {
    for (int set = 0; set < sets; ++set) {
      inputs_.push_back(value_or_exit(device.create_buffer({count * 4})));
      value_or_exit(
          crosslane::measure::fill_with_hashes(device, *inputs_.back(), count, static_cast<std::uint32_t>(set)));
    }
    output_ = value_or_exit(device.create_buffer({4 * static_cast<std::uint64_t>(sets)}));
    for (const Method method : crosslane::all_methods) {
      crosslane::ReductionOptions options;
      options.method = method;
      plans_.emplace(method, value_or_exit(crosslane::Reduction::create(device, options)));
    }
  }

  /// Milliseconds of one reduction of `repeats`; `overlapping` ones need not wait for each other.
  double time(Method method, bool overlapping) { return time(method, 0, repeats_, overlapping); }

  /// One reduction of array `set` alone between two clock readings.
  double time_alone(Method method, int set) { return time(method, set, 1, true); }

  std::vector<std::uint32_t> results() {
    std::vector<std::uint32_t> sums(inputs_.size());
    value_or_exit(crosslane::download(device_, *output_, std::as_writable_bytes(std::span(sums))));
    return sums;
  }

 private:
  double time(Method method, int first_set, int repeats, bool overlapping) {
    auto list = value_or_exit(device_.create_command_list());
    value_or_exit(list->timestamp());
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const auto set = static_cast<std::size_t>(first_set + repeat) % inputs_.size();
      if (!overlapping) {
        value_or_exit(list->barrier());
      }
      value_or_exit(plans_.at(method).record(*list, *inputs_[set], 0, count_, *output_, set * 4));
    }
    value_or_exit(list->timestamp());
    value_or_exit(crosslane::run(device_, *list));
    const auto times = value_or_exit(device_.timestamps(*list));
    return (times[1] - times[0]) / repeats;
  }

  crosslane::Device& device_;
  std::uint64_t count_;
  int repeats_;
  std::vector<std::unique_ptr<Buffer>> inputs_;
  std::unique_ptr<Buffer> output_;
  std::map<Method, crosslane::Reduction> plans_;
};

std::uint32_t sum_on_host(std::uint64_t count, std::uint32_t first) {
  std::uint32_t sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    sum += crosslane::measure::hash_word(first, i);
  }
  return sum;
}

void verify(const std::vector<std::uint32_t>& sums, std::uint64_t count, std::string_view who) {
  for (std::size_t set = 0; set < sums.size(); ++set) {
    const std::uint32_t expected = sum_on_host(count, static_cast<std::uint32_t>(set));
    if (sums[set] != expected) {
      std::cerr << fmt::format("peers: {} gave {} for set {}, {} is right\n", who, sums[set], set, expected);
      std::exit(1);
    }
  }
}

nlohmann::json compare(crosslane::Device& device, std::uint64_t count, const Options& options) {
  // Enough repeats that a sample lasts about a millisecond, and every set is used as often as any other.
  const int repeats =
      std::max(1, static_cast<int>((std::uint64_t{1} << 29U) / count / static_cast<std::uint64_t>(options.sets))) *
      options.sets;
  OurReduce ours(device, count, options.sets, repeats);
  peers::CubReduce cub(count, options.sets, repeats);
  std::map<std::string, std::vector<double>> times;
  for (int sample = -5; sample < options.samples; ++sample) {  // the first five warm up
    std::map<std::string, double> now = {
        {"read", cub.time_read()}, {"CUB", cub.time_reduce()}, {"CUB overlapping", cub.time_overlapping()}};
    const int alone = (sample + 5) % options.sets;
    now["CUB alone"] = cub.time_alone(alone);
    for (const Method method : crosslane::all_methods) {
      now[std::string(crosslane::name(method))] = ours.time(method, false);
      now[fmt::format("{} overlapping", crosslane::name(method))] = ours.time(method, true);
      now[fmt::format("{} alone", crosslane::name(method))] = ours.time_alone(method, alone);
      if (sample == -5) {
        verify(ours.results(), count, crosslane::name(method));
      }
    }
    if (sample >= 0) {
      for (const auto& [who, time] : now) {
        times[who].push_back(time);
      }
    }
  }
  verify(cub.results(), count, "CUB");
  verify(ours.results(), count, "the last method");
  const double read_median = median(times.at("read"));
  nlohmann::json rows = nlohmann::json::array();
  fmt::print("\nn = {} ({} sets, {} repeats a sample, {} samples)\n", count, options.sets, repeats, options.samples);
  fmt::print("{:<28} {:>10} {:>22} {:>9} {:>8} {:>13}\n", "", "median us", "5 % .. 95 %", "GB/s", "vs CUB",
             "of read rate");
  for (const auto& [who, values] : times) {
    const double middle = median(values);
    const std::size_t mode = who.find(' ');  // each is compared with CUB in the same mode
    const double cub_median = median(times.at("CUB" + (mode == std::string::npos ? "" : who.substr(mode))));
    rows.push_back({{"who", who},
                    {"median_us", middle * 1e3},
                    {"p05_us", percentile(values, 0.05) * 1e3},
                    {"p95_us", percentile(values, 0.95) * 1e3},
                    {"ratio_to_cub", cub_median / middle},
                    {"fraction_of_read", read_median / middle}});
    fmt::print("{:<28} {:>10.2f} {:>10.2f} .. {:>8.2f} {:>9.0f} {:>7.3f}x {:>12.1f}%\n", who, middle * 1e3,
               percentile(values, 0.05) * 1e3, percentile(values, 0.95) * 1e3,
               static_cast<double>(count) * 4 / (middle * 1e6), cub_median / middle, 100 * read_median / middle);
  }
  return {{"count", count}, {"repeats", repeats}, {"samples", options.samples}, {"rows", rows}};
}

/// 2^32 elements, made on the device and reduced once by each method; compared with the sum made on the host.
void reduce_huge(crosslane::Device& device) {
  const std::uint64_t count = std::uint64_t{1} << 32U;
  const std::uint32_t expected = sum_on_host(count, 0);
  OurReduce ours(device, count, 1, 1);
  for (const Method method : crosslane::all_methods) {
    ours.time(method, false);
    const double time = ours.time(method, false);
    const std::uint32_t sum = ours.results()[0];
    fmt::print("2^32 elements, {:<15} {:>9.3f} ms  {:>6.0f} GB/s  sum {} {}\n", crosslane::name(method), time,
               static_cast<double>(count) * 4 / (time * 1e6), sum, sum == expected ? "right" : "WRONG");
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Crosslane's reduction and CUB's, side by side");
  app.add_option("--count", options.counts, "elements");
  app.add_option("--sets", options.sets, "buffers in rotation");
  app.add_option("--samples", options.samples, "samples after warm-up");
  app.add_option("--json", options.json, "also write the numbers to this file");
  app.add_flag("--huge", options.huge, "also reduce 2^32 elements");
  CLI11_PARSE(app, argc, argv);

  const auto instance = value_or_exit(crosslane::vulkan::create_instance());
  const auto device = peers::open_gpu(*instance);
  fmt::print("{}, Vulkan driver {}, CUDA driver {}, device {}\n", device->info().name, device->info().driver_version,
             peers::CubReduce::driver_version(), peers::CubReduce::device_name());
  nlohmann::json report = {
      {"device", device->info().name}, {"driver", device->info().driver_version}, {"runs", nlohmann::json::array()}};
  for (const std::uint64_t count : options.counts) {
    report["runs"].push_back(compare(*device, count, options));
  }
  if (options.huge) {
    reduce_huge(*device);
  }
  if (!options.json.empty()) {
    std::ofstream(options.json) << report.dump(2) << '\n';
  }
  return 0;
}
