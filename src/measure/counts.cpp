#include "measure/counts.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/rounding.hpp"
#include "device/machine/device.hpp"
#include "machine/program.hpp"
#include "machine/wave.hpp"

namespace crosslane::measure {
namespace {

constexpr std::uint32_t banks = 32;
constexpr std::uint32_t bank_bytes = 4;

// Counters, and the use of banks beside them.
class Counting final : public machine::Observer {
 public:
  void on_group(const machine::Wave& first_wave) override { counters_.on_group(first_wave); }
  void on_instruction(const machine::Wave& wave, const machine::OpSource& source) override {
    counters_.on_instruction(wave, source);
  }
  void on_access(const machine::Wave& wave, const machine::OpSource& source,
                 const machine::MemoryEvent& event) override {
    counters_.on_access(wave, source, event);
    if (event.plan.kind != machine::AccessKind::atomic) {
      count_banks(wave, event);
    }
  }
  void on_barrier(const machine::Wave& wave, const machine::OpSource& source) override {
    counters_.on_barrier(wave, source);
  }
  void on_diverge(const machine::Wave& wave, const machine::OpSource& source, machine::Mask taken) override {
    counters_.on_diverge(wave, source, taken);
  }

  [[nodiscard]] const machine::Counts& counts() const { return counters_.counts(); }
  [[nodiscard]] const BankUse& bank_use() const { return banks_; }

 private:
  void count_banks(const machine::Wave& wave, const machine::MemoryEvent& event) {
    const std::uint32_t parts = std::max(event.plan.component_bytes / bank_bytes, 1U);
    std::array<std::vector<std::uint64_t>, 4> addresses;  // 32 lanes at a time, of 128 at most
    machine::for_each_lane(wave.active, [&](std::uint32_t lane) {
      const auto& address = event.lanes[lane];
      for (std::uint32_t word = 0; address.root == machine::groupshared_root && word < event.plan.components * parts;
           ++word) {
        addresses.at(lane / banks)
            .push_back(address.offset + std::uint64_t{word / parts} * event.plan.stride +
                       std::uint64_t{word % parts} * bank_bytes);
      }
    });
    for (const auto& of_some : addresses) {
      const BankUse use = measure::bank_use(of_some);
      banks_.least += use.least;
      banks_.turns += use.turns;
    }
  }

  machine::Counters counters_;
  BankUse banks_;
};

Expected<CountRow> count_one(Device& device, const Workload& workload, Method method, std::uint32_t wave_size) {
  CountRow row{method, wave_size, workload.count, {}, {}, {}};
  Counting counting;
  if (auto observed = machine::observe(device, &counting); !observed) {
    return tl::unexpected(std::move(observed.error()));
  }
  const auto work = workload.make(method);
  auto fault = work ? verify_work(device, *work) : Expected<std::string>("");
  const auto ended = machine::observe(device, nullptr);
  if (!work) {
    row.note = work.error().message;
    return row;
  }
  if (!fault || !ended) {
    return tl::unexpected(fault ? ended.error() : fault.error());
  }
  row.note = *std::move(fault);
  row.counts = counting.counts();
  row.banks = counting.bank_use();
  return row;
}

}  // namespace

double BankUse::conflict_factor() const {
  return least == 0 ? 1.0 : static_cast<double>(turns) / static_cast<double>(least);
}

BankUse bank_use(const std::vector<std::uint64_t>& addresses) {
  if (addresses.empty()) {
    return {};
  }
  std::vector<std::uint64_t> words(addresses.size());
  std::ranges::transform(addresses, words.begin(), [](std::uint64_t address) { return address / bank_bytes; });
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());  // lanes that want the same word share it
  std::array<std::uint64_t, banks> wanted{};
  for (const std::uint64_t word : words) {
    ++wanted.at(word % banks);
  }
  return {divide_up(words.size(), banks), std::ranges::max(wanted)};
}

std::uint64_t CountRow::waves() const {
  return counts.groups == 0 ? 0 : counts.groups * divide_up(counts.threads / counts.groups, wave_size);
}

std::uint64_t CountRow::groupshared_accesses() const {
  return counts.groupshared_reads.accesses + counts.groupshared_writes.accesses + counts.groupshared_atomics.accesses;
}

std::uint64_t CountRow::shuffles() const {
  std::uint64_t lanes = 0;
  for (const auto& shuffle : counts.shuffles) {
    lanes += shuffle.second.lanes;
  }
  return lanes;
}

Expected<std::vector<CountRow>> count_algorithm(const MeasuredAlgorithm& algorithm, WorkloadOptions options,
                                                const std::vector<std::uint32_t>& wave_sizes) {
  std::vector<CountRow> rows;
  options.wave_size.reset();
  options.hot = true;
  for (const std::uint32_t wave_size : wave_sizes) {
    const auto device = machine::create_device(wave_size);
    if (!device) {
      return tl::unexpected(device.error());
    }
    const auto workload = algorithm.make(**device, options);
    if (!workload) {
      return tl::unexpected(workload.error());
    }
    for (const Method method : workload->methods) {
      auto row = count_one(**device, *workload, method, wave_size);
      if (!row) {
        return tl::unexpected(std::move(row.error()));
      }
      rows.push_back(*std::move(row));
    }
  }
  return rows;
}

}  // namespace crosslane::measure
