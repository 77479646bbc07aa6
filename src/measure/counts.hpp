// What an algorithm does, counted on the wave machine: the same on every host, and no matter of time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "machine/counters.hpp"
#include "measure/workload.hpp"

namespace crosslane::measure {

/// Accesses to groupshared memory as hardware with 32 banks of 4 bytes would serve them, 32 lanes at a time: lanes that
/// want different words of one bank wait for each other. Atomics are left out.
struct BankUse {
  std::uint64_t least = 0;  ///< turns that they would take without conflicts: 32 words each
  std::uint64_t turns = 0;  ///< that they take

  /// How many times as long conflicts make it; 1 where there are none.
  [[nodiscard]] double conflict_factor() const;
};

/// What one access of up to 32 lanes takes: the addresses of all words that they want, in bytes.
BankUse bank_use(const std::vector<std::uint64_t>& addresses);

struct CountRow {
  Method method = Method::groupshared;
  std::uint32_t wave_size = 0;
  std::uint64_t count = 0;  ///< elements
  machine::Counts counts;
  BankUse banks;
  std::string note;  ///< why there are none; empty where there are

  [[nodiscard]] std::uint64_t waves() const;
  [[nodiscard]] std::uint64_t groupshared_accesses() const;
  [[nodiscard]] std::uint64_t shuffles() const;  ///< by lanes
};

/// Runs the algorithm by each method at each wave size. Errors: those of the workload and the machine.
Expected<std::vector<CountRow>> count_algorithm(const MeasuredAlgorithm& algorithm, WorkloadOptions options,
                                                const std::vector<std::uint32_t>& wave_sizes);

}  // namespace crosslane::measure
