// What watches a program while it runs: counters, and whatever looks for faults. Programs tell observers only where
// they were made for it (DecodeOptions::observed); then the host runs one group at a time, in order.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "machine/mask.hpp"
#include "machine/op.hpp"

namespace crosslane::machine {

struct OpSource;

enum class AccessKind : std::uint8_t { read, write, atomic };

/// Where one lane accesses memory.
struct LaneAddress {
  std::uint32_t root = 0;    ///< place in the launch's roots; groupshared_root is the group's memory
  std::uint64_t offset = 0;  ///< bytes from the root's start; the address itself of physical pointers
};

/// One access of a wave. Addresses are those of the first component, `active` lanes of them count.
struct MemoryEvent {
  AccessKind kind = AccessKind::read;
  std::uint32_t component_bytes = 4;
  std::uint32_t components = 1;
  std::uint32_t stride = 4;  ///< bytes from one component to the next
  bool physical = false;
  std::span<const LaneAddress> lanes;
};

/// A lane's value goes to another lane.
struct CrossLaneEvent {
  std::span<const std::uint32_t> source_lanes;  ///< per lane, which one it reads; any number
};

/// Is called from the thread that runs the group, before the instruction has its effect. `wave.active` are the lanes
/// that run it.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_group(const Wave& /*first_wave*/) {}
  virtual void on_instruction(const Wave& /*wave*/, const OpSource& /*source*/) {}
  virtual void on_access(const Wave& /*wave*/, const OpSource& /*source*/, const MemoryEvent& /*event*/) {}
  virtual void on_cross_lane(const Wave& /*wave*/, const OpSource& /*source*/, const CrossLaneEvent& /*event*/) {}
  virtual void on_barrier(const Wave& /*wave*/, const OpSource& /*source*/) {}
  /// Active lanes part: `taken` go one way, the others another.
  virtual void on_diverge(const Wave& /*wave*/, const OpSource& /*source*/, Mask /*taken*/) {}
  /// Lanes meet at the end of a construct or at a loop's continue target; they are active from here on.
  virtual void on_reconverge(const Wave& /*wave*/) {}
};

}  // namespace crosslane::machine
