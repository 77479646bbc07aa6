// What the comparisons share: options, Crosslane's side of the clock, samples taken in turn, and the table they become.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "crosslane/error.hpp"
#include "crosslane/method.hpp"
#include "crosslane/passes.hpp"
#include "crosslane/vulkan.hpp"
#include "measure/hash_fill.hpp"
#include "measure/median.hpp"

namespace peers {

template <typename T>
T value_or_exit(crosslane::Expected<T> expected) {
  if (!expected) {
    std::cerr << "peers: " << expected.error().message << '\n';
    for (const auto& reason : expected.error().reasons) {
      std::cerr << "  " << reason << '\n';
    }
    std::exit(3);
  }
  if constexpr (!std::is_void_v<T>) {
    return std::move(*expected);
  }
}

struct Options {
  std::vector<std::uint64_t> counts = {std::uint64_t{1} << 24U, std::uint64_t{1} << 28U};
  int sets = 4;
  int samples = 31;
  std::string json;
  std::string only;
  bool huge = false;
};

/// Enough repeats of work on `count` elements that a sample lasts about a millisecond, and every set is used as often
/// as any other.
inline int repeats_for(std::uint64_t count, const Options& options) {
  const auto wanted = (std::uint64_t{1} << 28U) / count / static_cast<std::uint64_t>(options.sets);
  return static_cast<int>(std::clamp<std::uint64_t>(wanted, 1, 128)) * options.sets;
}

/// Crosslane's side: works by name, each on sets of buffers in rotation, and the time between two readings of the
/// device's clock.
class OurWork {
 public:
  using Record = std::function<crosslane::Expected<void>(crosslane::CommandList&, std::size_t set)>;

  OurWork(crosslane::Device& device, int sets) : device_(device), sets_(static_cast<std::size_t>(sets)) {}

  void add(const std::string& name, Record record) {
    names_.push_back(name);
    works_.emplace(name, std::move(record));
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// Milliseconds of one of `repeats`, from set `first_set` on; `overlapping` ones need not wait for each other. Where
  /// there are several, another one goes before them: the first work after another program's takes some 0.1 ms more.
  double time(const std::string& name, int repeats, bool overlapping = false, int first_set = 0) {
    auto list = value_or_exit(device_.create_command_list());
    if (repeats > 1) {
      value_or_exit(list->barrier());
      value_or_exit(works_.at(name)(*list, static_cast<std::size_t>(first_set) % sets_));
    }
    value_or_exit(list->timestamp());
    for (int repeat = 0; repeat < repeats; ++repeat) {
      if (!overlapping) {
        value_or_exit(list->barrier());
      }
      value_or_exit(works_.at(name)(*list, static_cast<std::size_t>(first_set + repeat) % sets_));
    }
    value_or_exit(list->timestamp());
    value_or_exit(crosslane::run(device_, *list));
    const auto times = value_or_exit(device_.timestamps(*list));
    return (times[1] - times[0]) / repeats;
  }

 private:
  crosslane::Device& device_;
  std::size_t sets_;
  std::vector<std::string> names_;
  std::map<std::string, Record> works_;
};

/// Adds a plan of each method, and one in several passes, under their names. `record` records one.
template <typename Plan, typename Options, typename RecordPlan>
void add_plans(OurWork& work, crosslane::Device& device, Options options, RecordPlan record) {
  const auto add = [&](const std::string& name, crosslane::Method method, crosslane::Passes passes) {
    options.method = method;
    options.passes = passes;
    const auto plan = std::make_shared<Plan>(value_or_exit(Plan::create(device, options)));
    work.add(name, [plan, record](crosslane::CommandList& list, std::size_t set) { return record(*plan, list, set); });
  };
  for (const crosslane::Method method : crosslane::all_methods) {
    add(std::string(crosslane::name(method)), method, crosslane::Passes::automatic);
  }
  add("shuffle, several passes", crosslane::Method::shuffle, crosslane::Passes::several);
}

/// A buffer of `count` words for each set; with `hashes` filled with the words of measure::hash_word(set, i).
inline std::vector<std::unique_ptr<crosslane::Buffer>> make_sets(crosslane::Device& device, std::uint64_t count,
                                                                 int sets, bool hashes) {
  std::vector<std::unique_ptr<crosslane::Buffer>> buffers;
  for (int set = 0; set < sets; ++set) {
    buffers.push_back(value_or_exit(device.create_buffer({count * 4})));
    if (hashes) {
      value_or_exit(
          crosslane::measure::fill_with_hashes(device, *buffers.back(), count, static_cast<std::uint32_t>(set)));
    }
  }
  return buffers;
}

template <typename T>
std::vector<T> read(crosslane::Device& device, crosslane::Buffer& buffer, std::uint64_t count) {
  std::vector<T> values(count);
  value_or_exit(crosslane::download(device, buffer, std::as_writable_bytes(std::span(values))));
  return values;
}

/// Milliseconds by who took them, one per sample.
using Times = std::map<std::string, std::vector<double>>;

/// Takes samples: `take` gives the times of one round, in which everybody has had a turn; the first five warm up.
inline Times sample(const Options& options, const std::function<std::map<std::string, double>(int round)>& take) {
  Times times;
  for (int round = 0; round < options.samples + 5; ++round) {
    for (const auto& [who, time] : take(round)) {
      if (round >= 5) {
        times[who].push_back(time);
      }
    }
  }
  return times;
}

/// Prints medians beside those of `peer` in the same mode (what follows the first space of a name) and beside `limit`,
/// and gives them as JSON. `bytes`: what one work must move.
inline nlohmann::json tabulate(const Times& times, std::uint64_t count, int repeats, std::uint64_t bytes,
                               const std::string& limit, const std::string& peer = "CUB") {
  const auto percentile = [](std::vector<double> values, double p) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))] * 1e3;
  };
  const auto median = [&](const std::string& who) { return crosslane::measure::median(times.at(who)); };
  const std::size_t samples = times.at(limit).size();
  fmt::print("\nn = {} ({} repeats a sample, {} samples)\n", count, repeats, samples);
  fmt::print("{:<28} {:>10} {:>22} {:>9} {:>8} {:>13}\n", "", "median us", "5 % .. 95 %", "GB/s", "vs " + peer,
             "of " + limit + " rate");
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& [who, values] : times) {
    const double middle = median(who);
    const std::size_t mode = who.find(' ');
    const std::string same_mode = mode == std::string::npos ? peer : peer + who.substr(mode);
    const double ratio = median(times.contains(same_mode) ? same_mode : peer) / middle;
    const double fraction = median(limit) / middle;
    rows.push_back({{"who", who},
                    {"median_us", middle * 1e3},
                    {"p05_us", percentile(values, 0.05)},
                    {"p95_us", percentile(values, 0.95)},
                    {"ratio_to_peer", ratio},
                    {"fraction_of_" + limit, fraction}});
    fmt::print("{:<28} {:>10.2f} {:>10.2f} .. {:>8.2f} {:>9.0f} {:>7.3f}x {:>12.1f}%\n", who, middle * 1e3,
               percentile(values, 0.05), percentile(values, 0.95), static_cast<double>(bytes) / (middle * 1e6), ratio,
               100 * fraction);
  }
  return {{"count", count}, {"repeats", repeats}, {"samples", samples}, {"rows", rows}};
}

/// Ends the program where `result` is not what is right.
template <typename T>
void expect_right(std::string_view who, std::uint64_t element, T result, T right) {
  if (result != right) {
    std::cerr << fmt::format("peers: {} gave {} for element {}, {} is right\n", who, result, element, right);
    std::exit(1);
  }
}

/// The program: `compare` for each count on the first GPU, then `huge` where that is asked for.
inline int compare_all(int argc, char** argv, const char* title,
                       const std::function<nlohmann::json(crosslane::Device&, std::uint64_t, const Options&)>& compare,
                       const std::function<void(crosslane::Device&, const Options&)>& huge) {
  Options options;
  CLI::App app(title);
  app.add_option("--count", options.counts, "elements");
  app.add_option("--sets", options.sets, "buffers in rotation");
  app.add_option("--samples", options.samples, "samples after warm-up");
  app.add_option("--json", options.json, "also write the numbers to this file");
  app.add_option("--only", options.only, "for the huge one: by this method alone");
  app.add_flag("--huge", options.huge, "also 2^32 elements");
  CLI11_PARSE(app, argc, argv);

  const auto instance = value_or_exit(crosslane::vulkan::create_instance());
  const auto& infos = instance->devices();
  const auto gpu = std::ranges::find(infos, crosslane::DeviceKind::gpu, &crosslane::DeviceInfo::kind);
  if (gpu == infos.end()) {
    std::cerr << "peers: no Vulkan GPU\n";
    return 3;
  }
  const auto device = value_or_exit(instance->open(static_cast<std::size_t>(gpu - infos.begin())));
  fmt::print("{}, Vulkan driver {}\n", device->info().name, device->info().driver_version);
  nlohmann::json report = {
      {"device", device->info().name}, {"driver", device->info().driver_version}, {"runs", nlohmann::json::array()}};
  for (const std::uint64_t count : options.counts) {
    report["runs"].push_back(compare(*device, count, options));
  }
  if (options.huge) {
    huge(*device, options);
  }
  if (!options.json.empty()) {
    std::ofstream(options.json) << report.dump(2) << '\n';
  }
  return 0;
}

}  // namespace peers
