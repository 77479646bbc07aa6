// Counts what a dispatch does.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "machine/decode/opcode_table.hpp"
#include "machine/observer.hpp"

namespace crosslane::machine {

/// An instruction counts once per wave that runs it; `lanes` adds up the lanes that were active.
struct InstructionCount {
  std::uint64_t waves = 0;
  std::uint64_t lanes = 0;
};

struct Traffic {
  std::uint64_t accesses = 0;  ///< by lanes
  std::uint64_t bytes = 0;
};

struct Counts {
  std::uint64_t groups = 0;
  std::uint64_t threads = 0;
  std::map<Family, InstructionCount> instructions;
  Traffic groupshared_reads;
  Traffic groupshared_writes;
  Traffic buffer_reads;
  Traffic buffer_writes;
  Traffic groupshared_atomics;
  Traffic buffer_atomics;
  std::uint64_t barriers = 0;                        ///< by waves
  std::map<std::string, InstructionCount> shuffles;  ///< by SPIR-V's name without "OpGroupNonUniform"
  std::uint64_t divergent_branches = 0;              ///< by waves: lanes of one went different ways

  /// Instructions of all families, by waves.
  [[nodiscard]] InstructionCount total() const;
};

class Counters final : public Observer {
 public:
  [[nodiscard]] const Counts& counts() const { return counts_; }

  void on_group(const Wave& first_wave) override;
  void on_instruction(const Wave& wave, const OpSource& source) override;
  void on_access(const Wave& wave, const OpSource& source, const MemoryEvent& event) override;
  void on_barrier(const Wave& wave, const OpSource& source) override;
  void on_diverge(const Wave& wave, const OpSource& source, Mask taken) override;

 private:
  Counts counts_;
};

}  // namespace crosslane::machine
