// Compacts u32 arrays with Crosslane's methods and with CUB, side by side: both keep the values below 2^31, half of
// random ones, of the same data, in the same process, taking turns sample by sample, each sample some repeats over
// buffers in rotation between two clock readings of the device.
#include "crosslane/compaction.hpp"

#include "compact_cub.hpp"
#include "comparison.hpp"

namespace {

using crosslane::Comparison;
using peers::compact_limit;
using peers::value_or_exit;

/// `sets` pairs of arrays, one plan per method.
struct OurCompact {
  OurCompact(crosslane::Device& device, std::uint64_t count, int sets)
      : work(device, sets),
        inputs(peers::make_sets(device, count, sets, true)),
        outputs(peers::make_sets(device, count, sets, false)),
        counts(value_or_exit(device.create_buffer({8 * static_cast<std::uint64_t>(sets)}))) {
    crosslane::CompactionOptions options;
    options.selection = crosslane::ByComparison::of(Comparison::less, compact_limit);
    peers::add_plans<crosslane::Compaction>(
        work, device, options,
        [this, count](crosslane::Compaction& plan, crosslane::CommandList& list, std::size_t set) {
          return plan.record(
              list, {.input = {inputs[set].get()}, .kept = {outputs[set].get()}, .count = {counts.get(), 8 * set}},
              count);
        });
  }

  peers::OurWork work;
  std::vector<std::unique_ptr<crosslane::Buffer>> inputs;
  std::vector<std::unique_ptr<crosslane::Buffer>> outputs;
  std::unique_ptr<crosslane::Buffer> counts;
};

/// `results` has room for all elements.
void verify(const std::vector<std::uint32_t>& results, std::uint64_t kept, std::uint32_t set, std::string_view who) {
  std::uint64_t place = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::uint32_t value = crosslane::measure::hash_word(set, i);
    if (value < compact_limit) {
      peers::expect_right(who, place, results[place], value);
      ++place;
    }
  }
  peers::expect_right(who, results.size(), kept, place);
}

void verify(crosslane::Device& device, OurCompact& ours, std::uint64_t count, std::size_t set, std::string_view who) {
  verify(peers::read<std::uint32_t>(device, *ours.outputs[set], count),
         peers::read<std::uint64_t>(device, *ours.counts, set + 1)[set], static_cast<std::uint32_t>(set), who);
}

nlohmann::json compare(crosslane::Device& device, std::uint64_t count, const peers::Options& options) {
  const int repeats = peers::repeats_for(count, options);
  const auto last = static_cast<std::size_t>(options.sets - 1);
  OurCompact ours(device, count, options.sets);
  peers::CubCompact cub(count, options.sets, repeats);
  const auto times = peers::sample(options, [&](int round) {
    std::map<std::string, double> now = {{"copy", cub.time_copy()}, {"CUB", cub.time_compact()}};
    for (const std::string& name : ours.work.names()) {
      now[name] = ours.work.time(name, repeats);
      if (round == 0) {
        verify(device, ours, count, last, name);
      }
    }
    return now;
  });
  std::uint64_t kept = 0;
  const auto results = cub.results(options.sets - 1, kept);
  verify(results, kept, static_cast<std::uint32_t>(last), "CUB");
  return peers::tabulate(times, count, repeats, count * 6, "copy");
}

/// Compacted once by each method; all results compared with the host's.
void compact_huge(crosslane::Device& device, const peers::Options& options) {
  const std::uint64_t count = std::uint64_t{1} << 32U;
  OurCompact ours(device, count, 1);
  for (const std::string& name : ours.work.names()) {
    if (!options.only.empty() && name != options.only) {
      continue;
    }
    ours.work.time(name, 1);
    const double time = ours.work.time(name, 1);
    verify(device, ours, count, 0, name);
    fmt::print("2^32 elements, {:<28} {:>9.3f} ms  {:>6.0f} GB/s  right\n", name, time,
               static_cast<double>(count) * 6 / (time * 1e6));
  }
}

}  // namespace

int main(int argc, char** argv) {
  return peers::compare_all(argc, argv, "Crosslane's compaction and CUB's, side by side", compare, compact_huge);
}
