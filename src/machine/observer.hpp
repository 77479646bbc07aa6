// What watches a program while it runs: counters, and whatever looks for faults. Programs tell observers only where
// they were made for it (DecodeOptions::observed); then the host runs one group at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <spirv/unified1/spirv.hpp11>

#include "machine/access_shape.hpp"
#include "machine/mask.hpp"
#include "machine/op.hpp"
#include "machine/origin.hpp"

namespace crosslane::machine {

struct Group;
struct OpSource;
struct Program;

enum class AccessKind : std::uint8_t { read, write, atomic };

/// Which memory accesses of whom a barrier, fence or atomic orders.
struct MemoryOrder {
  spv::Scope scope = spv::Scope::Invocation;
  std::uint32_t semantics = 0;  ///< SPIR-V's MemorySemanticsMask
};

/// What is the same for every run of an instruction that accesses memory.
struct AccessPlan {
  AccessKind kind = AccessKind::read;
  spv::Op opcode = spv::Op::OpNop;
  std::uint32_t component_bytes = 4;
  std::uint32_t components = 1;
  std::uint32_t stride = 4;  ///< bytes from one component to the next
  bool physical = false;
  bool coherent = false;   ///< declared coherent or volatile
  MemoryOrder order = {};  ///< of atomics
};

/// From the first byte of a lane's part to behind its last.
constexpr std::uint64_t bytes_reached(const AccessPlan& plan) {
  return std::uint64_t{plan.components - 1} * plan.stride + plan.component_bytes;
}

/// Where one lane accesses memory.
struct LaneAddress {
  std::uint32_t root = 0;    ///< place in the launch's roots; groupshared_root is the group's memory
  std::uint64_t offset = 0;  ///< bytes from the root's start; the address itself of physical pointers
};

/// Where each lane accesses memory, read from the registers that hold it.
struct LaneAddresses {
  const std::uint32_t* offsets = nullptr;   ///< from `root`; null with no pointers either: all of them 0
  const std::uint64_t* pointers = nullptr;  ///< instead of those: values that name a root, or physical addresses
  bool physical = false;
  std::uint32_t root = 0;
  std::uint32_t further = 0;  ///< bytes behind all of them

  LaneAddress operator[](std::uint32_t lane) const {
    if (pointers == nullptr) {
      return {root, std::uint64_t{offsets == nullptr ? 0 : offsets[lane]} + further};
    }
    const auto pointer = pointers[lane];
    if (physical) {
      return {no_register, pointer + further};
    }
    // Null pointers have no root.
    return {pointer >> 32U == 0 ? no_register : static_cast<std::uint32_t>(pointer >> 32U) - 1,
            (pointer & 0xFFFFFFFFU) + further};
  }
};

/// One access of a wave. Addresses are those of the first component, `active` lanes of them count.
struct MemoryEvent {
  const AccessPlan& plan;
  const AccessShape& shape;
  LaneAddresses lanes;
  /// What is written, or the atomic's operand: a row of `padded` elements for every component; null where there is
  /// none.
  const std::byte* values = nullptr;
  std::uint32_t padded = 0;
};

/// A lane's value goes to another lane.
struct CrossLaneEvent {
  std::span<const std::uint32_t> source_lanes;  ///< per lane, which one it reads; any number
};

struct BarrierPlan {
  spv::Scope execution = spv::Scope::Invocation;  ///< who waits for each other; Invocation: nobody
  MemoryOrder order = {};
};

/// Values of some lanes become undefined.
struct UndefinedEvent {
  Cause cause = Cause::none;
  Mask lanes;
  /// Per lane what shows it: the lane that is read, the shift's amount, the divisor, the index; may be empty.
  std::span<const std::uint32_t> details;
  std::uint32_t root = no_register;  ///< of memory that is read outside of its bounds, where that is known
};

/// Undefined values of some lanes decide what happens.
struct UndefinedUse {
  Use use = Use::store;
  Mask lanes;
  std::span<const Origin> origins;  ///< per lane
};

/// Is called from the thread that runs the group, before the instruction has its effect. `wave.active` are the lanes
/// that run it.
class Observer {
 public:
  virtual ~Observer() = default;
  /// A dispatch begins; nothing that ran before races with it.
  virtual void on_dispatch(const Program& /*program*/) {}
  virtual void on_group(const Wave& /*first_wave*/) {}
  virtual void on_group_end(const Group& /*group*/) {}
  virtual void on_instruction(const Wave& /*wave*/, const OpSource& /*source*/) {}
  virtual void on_access(const Wave& /*wave*/, const OpSource& /*source*/, const MemoryEvent& /*event*/) {}
  virtual void on_cross_lane(const Wave& /*wave*/, const OpSource& /*source*/, const CrossLaneEvent& /*event*/) {}
  /// A wave arrives at a barrier of its group.
  virtual void on_barrier(const Wave& /*wave*/, const OpSource& /*source*/) {}
  /// All waves of the group have met at a barrier and go on.
  virtual void on_barrier_passed(const Group& /*group*/, const BarrierPlan& /*plan*/) {}
  /// Some waves wait at a barrier, and not all of the group's threads are there: `Wave::state` and `stopped_at` tell.
  virtual void on_barrier_missed(const Group& /*group*/) {}
  /// Orders memory accesses of the wave's lanes: a fence, or a barrier among them.
  virtual void on_fence(const Wave& /*wave*/, const OpSource& /*source*/, const BarrierPlan& /*plan*/) {}
  /// The group goes round a loop: for that many iterations, more than are allowed, or, with 0, so that nothing will
  /// ever change.
  virtual void on_no_progress(const Group& /*group*/, std::uint64_t /*iterations*/) {}
  /// Active lanes part: `taken` go one way, the others another.
  virtual void on_diverge(const Wave& /*wave*/, const OpSource& /*source*/, Mask /*taken*/) {}
  /// Lanes meet at the end of a construct or at a loop's continue target; they are active from here on.
  virtual void on_reconverge(const Wave& /*wave*/) {}
  /// False where the rules that the observer stands for define the value after all.
  virtual bool on_undefined(const Wave& /*wave*/, const OpSource& /*source*/, const UndefinedEvent& /*event*/) {
    return true;
  }
  virtual void on_undefined_use(const Wave& /*wave*/, const OpSource& /*source*/, const UndefinedUse& /*use*/) {}
};

}  // namespace crosslane::machine
