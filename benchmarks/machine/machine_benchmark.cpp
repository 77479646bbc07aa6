// The wave machine beside other ways to run a shader on this processor: a software driver for Vulkan, taking turns run
// by run, and Oclgrind. Results are compared before anything is timed.
#include <algorithm>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "crosslane/reduction.hpp"
#include "device/gather.hpp"
#include "device/machine/device.hpp"
#include "kernels/kernel.hpp"
#include "machine/counters.hpp"
#include "measure/hash_fill.hpp"
#include "measure/median.hpp"
#include "measure/timing.hpp"
#include "oclgrind_sum.hpp"
#include "work.hpp"

namespace {

using namespace benchmark;  // NOLINT(google-build-using-namespace)
using crosslane::Device;
using crosslane::Method;

struct Comparison {
  double ours_ms = 0;
  double peer_ms = 0;
};

// Both sides take turns; the first run of each, in which drivers compile, is left out and compared.
Comparison compare(Work& ours, Work& peer, int samples) {
  ours.run_ms();
  peer.run_ms();
  if (ours.result() != peer.result()) {
    std::cerr << "benchmark: the results differ\n";
    std::exit(1);
  }
  std::vector<double> our_times;
  std::vector<double> peer_times;
  for (int sample = 0; sample < samples; ++sample) {
    our_times.push_back(ours.run_ms());
    peer_times.push_back(peer.run_ms());
  }
  return {crosslane::measure::median(our_times), crosslane::measure::median(peer_times)};
}

void print(const std::string& what, const Comparison& times) {
  std::cout << fmt::format("{:44} {:10.3f} {:10.3f} {:7.2f}\n", what, times.ours_ms, times.peer_ms,
                           times.peer_ms / times.ours_ms);
}

// Instructions by waves, counted in a run of their own.
template <typename Make>
crosslane::machine::Counts count_work(std::uint32_t wave_size, Make make) {
  crosslane::machine::Counters counters;
  const auto device = value_or_exit(crosslane::machine::create_device(wave_size));
  value_or_exit(crosslane::machine::observe(*device, &counters));
  auto work = make(*device);
  const auto before = counters.counts();
  work->run_ms();
  auto counts = counters.counts();
  for (auto& [family, count] : counts.instructions) {
    const auto earlier = before.instructions.find(family);
    if (earlier != before.instructions.end()) {
      count.waves -= earlier->second.waves;
      count.lanes -= earlier->second.lanes;
    }
  }
  return counts;
}

template <typename Make>
void print_rate(const std::string& what, std::uint32_t wave_size, double milliseconds, Make make) {
  const auto total = count_work(wave_size, make).total();
  std::cout << fmt::format("{:44} {:10.1f} million wave instructions/s, {:10.1f} million lane instructions/s\n", what,
                           static_cast<double>(total.waves) / milliseconds / 1e3,
                           static_cast<double>(total.lanes) / milliseconds / 1e3);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The wave machine beside a software driver for Vulkan and Oclgrind");
  int samples = 11;
  std::uint32_t largest = 26;
  app.add_option("--samples", samples, "Runs of each side; medians are shown");
  app.add_option("--largest", largest, "The largest sum has 2^N elements");
  CLI11_PARSE(app, argc, argv);

  const auto devices = crosslane::gather_devices();
  const auto peer = value_or_exit(devices.open(value_or_exit(devices.choose("vulkan:0"))));
  const auto machine = value_or_exit(crosslane::machine::create_device(32));
  std::cout << fmt::format("peer: {}, waves of {} lanes\n\n{:44} {:>10} {:>10} {:>7}\n", peer->info().name,
                           peer->info().wave_sizes.standard, "work, machine with 32 lanes", "ours [ms]", "peer [ms]",
                           "ratio");
  for (const auto method : crosslane::all_methods) {
    const std::uint64_t count = std::uint64_t{1} << 24U;
    Sum ours(*machine, method, count);
    Sum theirs(*peer, method, count);
    const auto times = compare(ours, theirs, samples);
    print(fmt::format("sum of 2^24 u32, {}", name(method)), times);
    print_rate("", 32, times.ours_ms, [&](Device& device) { return std::make_unique<Sum>(device, method, count); });
  }
  {
    MatrixProduct ours(*machine, 512);
    MatrixProduct theirs(*peer, 512);
    const auto times = compare(ours, theirs, samples);
    print("product of 512 x 512 f32", times);
    print_rate("", 32, times.ours_ms, [](Device& device) { return std::make_unique<MatrixProduct>(device, 512); });
  }
  if (const auto seconds = benchmark::time_oclgrind_sum(20)) {
    Sum ours(*machine, Method::groupshared, std::uint64_t{1} << 20U);
    ours.run_ms();
    std::vector<double> times;
    for (int sample = 0; sample < samples; ++sample) {
      times.push_back(ours.run_ms());
    }
    print("sum of 2^20 u32, groupshared; peer: Oclgrind", {crosslane::measure::median(times), *seconds * 1e3});
  }
  std::cout << fmt::format("\n{:44} {:>10}\n", "sum of u32, shuffle, by size and lanes", "ours [ms]");
  const auto print_one = [&](std::uint32_t log2, std::uint32_t wave_size) {
    const auto device = value_or_exit(crosslane::machine::create_device(wave_size));
    Sum sum(*device, Method::shuffle, std::uint64_t{1} << log2);
    sum.run_ms();
    std::vector<double> times;
    for (int sample = 0; sample < samples; ++sample) {
      times.push_back(sum.run_ms());
    }
    std::cout << fmt::format("2^{} elements, {:3} lanes {:24} {:10.3f}\n", log2, wave_size, "",
                             crosslane::measure::median(times));
  };
  for (std::uint32_t log2 = 16; log2 <= largest; log2 += 2) {
    print_one(log2, 32);
  }
  for (const std::uint32_t wave_size : {1U, 2U, 4U, 8U, 16U, 64U, 128U}) {
    print_one(20, wave_size);
  }
  return 0;
}
