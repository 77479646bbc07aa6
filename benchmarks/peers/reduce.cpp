// Sums u32 arrays with Crosslane's three methods and with CUB, side by side: both on the same data, in the same
// process, taking turns sample by sample, each sample some repeats over buffers in rotation between two clock readings
// of the device. Three modes: every reduction waits for the one before; overlapping where they can; one alone between
// two clock readings.
#include "crosslane/reduction.hpp"

#include "comparison.hpp"
#include "reduce_cub.hpp"

namespace {

using crosslane::Method;
using peers::value_or_exit;

/// `sets` arrays, one plan per method.
struct OurReduce {
  OurReduce(crosslane::Device& device, std::uint64_t count, int sets)
      : work(device, sets),
        inputs(peers::make_sets(device, count, sets, true)),
        output(value_or_exit(device.create_buffer({4 * static_cast<std::uint64_t>(sets)}))) {
    for (const Method method : crosslane::all_methods) {
      crosslane::ReductionOptions options;
      options.method = method;
      const auto plan =
          std::make_shared<crosslane::Reduction>(value_or_exit(crosslane::Reduction::create(device, options)));
      work.add(std::string(crosslane::name(method)),
               [this, plan, count](crosslane::CommandList& list, std::size_t set) {
                 return plan->record(list, *inputs[set], 0, count, *output, set * 4);
               });
    }
  }

  peers::OurWork work;
  std::vector<std::unique_ptr<crosslane::Buffer>> inputs;
  std::unique_ptr<crosslane::Buffer> output;
};

std::uint32_t sum_on_host(std::uint64_t count, std::uint32_t set) {
  std::uint32_t sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    sum += crosslane::measure::hash_word(set, i);
  }
  return sum;
}

void verify(const std::vector<std::uint32_t>& sums, std::uint64_t count, std::string_view who) {
  for (std::size_t set = 0; set < sums.size(); ++set) {
    peers::expect_right(who, set, sums[set], sum_on_host(count, static_cast<std::uint32_t>(set)));
  }
}

nlohmann::json compare(crosslane::Device& device, std::uint64_t count, const peers::Options& options) {
  const int repeats = peers::repeats_for(count, options);
  const auto sets = static_cast<std::uint64_t>(options.sets);
  OurReduce ours(device, count, options.sets);
  peers::CubReduce cub(count, options.sets, repeats);
  const auto times = peers::sample(options, [&](int round) {
    const int alone = round % options.sets;
    std::map<std::string, double> now = {{"read", cub.time_read()},
                                         {"CUB", cub.time_reduce()},
                                         {"CUB overlapping", cub.time_overlapping()},
                                         {"CUB alone", cub.time_alone(alone)}};
    for (const std::string& name : ours.work.names()) {
      now[name] = ours.work.time(name, repeats);
      now[name + " overlapping"] = ours.work.time(name, repeats, true);
      now[name + " alone"] = ours.work.time(name, 1, true, alone);
      if (round == 0) {
        verify(peers::read<std::uint32_t>(device, *ours.output, sets), count, name);
      }
    }
    return now;
  });
  verify(cub.results(), count, "CUB");
  return peers::tabulate(times, count, repeats, count * 4, "read");
}

/// Reduced once by each method; compared with the sum made on the host.
void reduce_huge(crosslane::Device& device, const peers::Options& options) {
  const std::uint64_t count = std::uint64_t{1} << 32U;
  OurReduce ours(device, count, 1);
  for (const std::string& name : ours.work.names()) {
    if (!options.only.empty() && name != options.only) {
      continue;
    }
    ours.work.time(name, 1);
    const double time = ours.work.time(name, 1);
    verify(peers::read<std::uint32_t>(device, *ours.output, 1), count, name);
    fmt::print("2^32 elements, {:<15} {:>9.3f} ms  {:>6.0f} GB/s  right\n", name, time,
               static_cast<double>(count) * 4 / (time * 1e6));
  }
}

}  // namespace

int main(int argc, char** argv) {
  fmt::print("{}, CUDA driver {}\n", peers::CubReduce::device_name(), peers::CubReduce::driver_version());
  return peers::compare_all(argc, argv, "Crosslane's reduction and CUB's, side by side", compare, reduce_huge);
}
