// The state of one wave while it runs, and of the thread group around it.
//
// A register row holds one element per lane, padded to a multiple of 16 lanes and aligned to 64 bytes, so that loops
// over lanes need no tail. Components of a vector are rows one after the other. Instructions without side effects
// compute every lane, active or not: what an inactive lane holds is never read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/access_shape.hpp"
#include "machine/mask.hpp"
#include "machine/op.hpp"
#include "machine/origin.hpp"

namespace crosslane::machine {

constexpr std::uint32_t row_lanes = 16;
constexpr std::size_t row_alignment = 64;
constexpr std::size_t smallest_row_bytes = row_lanes;  ///< of elements of one byte

struct Program;
class Observer;

/// A range of memory that pointers start from.
struct Root {
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};

/// A typed buffer, image or sampler as handlers see it (image.hpp).
struct ImageView;

/// Lanes that wait in a construct.
struct Pending {
  std::uint32_t target = 0;  ///< place in Program::ops
  Mask lanes;
};

struct Frame {
  std::vector<Pending> pending;
  Mask at_merge;
  Mask at_continue;
  // The rest in programs with independent lanes.
  bool together = true;           ///< all lanes that have not ended entered the construct at once
  bool round_together = true;     ///< and began this round of the loop at once
  std::uint64_t rounds = 0;       ///< entries, rounds of a loop among them
  std::uint64_t outer_round = 0;  ///< of the construct around it, when it was entered
  std::uint64_t way = 0;          ///< see GroupEntries, of the wave when it entered
};

enum class WaveState : std::uint8_t {
  ready,
  at_barrier,
  yielded,     ///< has run for its budget
  needs_turn,  ///< its group must wait until all earlier groups have had their turn
  ended,
  failed,  ///< reached what must not be reached; `stopped_at` tells where
};

struct Group;

struct Wave {
  std::byte* registers = nullptr;
  std::uint32_t* active_row = nullptr;  ///< all ones in active lanes, else 0
  const Operation* next = nullptr;
  const Program* program = nullptr;
  Group* group = nullptr;
  const Root* roots = nullptr;
  Frame* frames = nullptr;
  Mask active;
  Mask live;                 ///< lanes that have not ended
  Mask full;                 ///< lanes that exist
  std::uint32_t lanes = 0;   ///< wave size
  std::uint32_t padded = 0;  ///< lanes of a row
  std::uint32_t index = 0;   ///< in its group
  std::uint32_t budget = 0;  ///< loop iterations until it yields
  WaveState state = WaveState::ready;
  const Operation* stopped_at = nullptr;
  std::uint64_t clock = 0;
  std::uint64_t way = 0;  ///< see GroupEntries
  Observer* observer = nullptr;
  /// Where undefined values are followed: of the row at byte `offset` of the registers, the lanes' origins begin at
  /// poison[offset]. Rows of any element fit, one origin per lane.
  Origin* poison = nullptr;
  /// By 16 bytes of the registers: whether the row that begins there has an origin that is not 0. Where it has none,
  /// what `poison` holds for it means nothing.
  std::uint8_t* poisoned_rows = nullptr;
  bool poisoned = false;  ///< any of those is set
  AccessShape shape;      ///< of the last access that was told to the observer

  template <typename T>
  [[nodiscard]] T* row(std::uint32_t offset) const {
    return reinterpret_cast<T*>(registers + offset);
  }
};

/// Makes `lanes` the active ones.
void set_active(Wave& wave, Mask lanes);

/// Lanes of a row of booleans that are true.
Mask true_lanes(const Wave& wave, const std::uint32_t* row);

}  // namespace crosslane::machine
