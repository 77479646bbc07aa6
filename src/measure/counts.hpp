// What an algorithm does, counted on the wave machine: the same on every host, and no matter of time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "machine/counters.hpp"
#include "measure/workload.hpp"

namespace crosslane::measure {

/// Accesses to groupshared memory as hardware with 32 banks of 4 bytes would serve them, 32 lanes and 4 bytes at a
/// time: lanes that want different words of one bank wait for each other. Atomics are left out.
struct BankUse {
  std::uint64_t accesses = 0;  ///< of up to 32 lanes
  std::uint64_t turns = 0;     ///< that they take: as many without conflicts

  /// Turns for each access; 1 where there are no conflicts or no accesses.
  [[nodiscard]] double turns_per_access() const;
};

/// What one access of a wave takes: addresses in bytes, of the lanes that are active.
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
