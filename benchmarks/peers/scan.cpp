// Scans u32 arrays with Crosslane's methods and with CUB, side by side: both on the same data, in the same process,
// taking turns sample by sample, each sample some repeats over buffers in rotation between two clock readings of the
// device.
#include "crosslane/scan.hpp"

#include "comparison.hpp"
#include "scan_cub.hpp"

namespace {

using crosslane::measure::hash_word;

/// `sets` pairs of arrays, one plan per method.
struct OurScan {
  OurScan(crosslane::Device& device, std::uint64_t count, int sets)
      : work(device, sets),
        inputs(peers::make_sets(device, count, sets, true)),
        outputs(peers::make_sets(device, count, sets, false)) {
    peers::add_plans<crosslane::Scan>(
        work, device, crosslane::ScanOptions{},
        [this, count](crosslane::Scan& plan, crosslane::CommandList& list, std::size_t set) {
          return plan.record(list, *inputs[set], 0, count, *outputs[set]);
        });
  }

  peers::OurWork work;
  std::vector<std::unique_ptr<crosslane::Buffer>> inputs;
  std::vector<std::unique_ptr<crosslane::Buffer>> outputs;
};

void verify(const std::vector<std::uint32_t>& results, std::uint32_t set, std::string_view who) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    sum += hash_word(set, i);
    peers::expect_right(who, i, results[i], sum);
  }
}

nlohmann::json compare(crosslane::Device& device, std::uint64_t count, const peers::Options& options) {
  const int repeats = peers::repeats_for(count, options);
  const auto last = static_cast<std::size_t>(options.sets - 1);
  OurScan ours(device, count, options.sets);
  peers::CubScan cub(count, options.sets, repeats);
  const auto times = peers::sample(options, [&](int round) {
    std::map<std::string, double> now = {{"copy", cub.time_copy()}, {"CUB", cub.time_scan()}};
    for (const std::string& name : ours.work.names()) {
      now[name] = ours.work.time(name, repeats);
      if (round == 0) {
        verify(peers::read<std::uint32_t>(device, *ours.outputs[last], count), static_cast<std::uint32_t>(last), name);
      }
    }
    return now;
  });
  verify(cub.results(options.sets - 1), static_cast<std::uint32_t>(last), "CUB");
  return peers::tabulate(times, count, repeats, count * 8, "copy");
}

/// Scanned once by each method; all results compared with the host's scan.
void scan_huge(crosslane::Device& device, const peers::Options& options) {
  const std::uint64_t count = std::uint64_t{1} << 32U;
  OurScan ours(device, count, 1);
  for (const std::string& name : ours.work.names()) {
    if (!options.only.empty() && name != options.only) {
      continue;
    }
    ours.work.time(name, 1);
    const double time = ours.work.time(name, 1);
    verify(peers::read<std::uint32_t>(device, *ours.outputs[0], count), 0, name);
    fmt::print("2^32 elements, {:<28} {:>9.3f} ms  {:>6.0f} GB/s  right\n", name, time,
               static_cast<double>(count) * 8 / (time * 1e6));
  }
}

}  // namespace

int main(int argc, char** argv) {
  return peers::compare_all(argc, argv, "Crosslane's scan and CUB's, side by side", compare, scan_huge);
}
