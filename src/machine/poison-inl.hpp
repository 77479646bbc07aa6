// What the files of poison.hpp's handlers share.
#pragma once

#include <algorithm>
#include <array>

#include "machine/observer.hpp"
#include "machine/poison.hpp"
#include "machine/program.hpp"
#include "machine/wave.hpp"

namespace crosslane::machine {

using OriginRow = std::array<Origin, largest_wave>;

/// Whether the row at byte `offset` has an origin that is not 0.
inline bool has_origins(const Wave& wave, std::uint32_t offset) {
  return offset != no_register && wave.poisoned_rows[offset / smallest_row_bytes] != 0;
}

/// The origins of the row at byte `offset`, one per lane; zeros for no_register.
inline const Origin* origins(const Wave& wave, std::uint32_t offset) {
  static constexpr OriginRow none{};
  return has_origins(wave, offset) ? wave.poison + offset : none.data();
}

/// The same to be written.
inline Origin* make_origins(Wave& wave, std::uint32_t offset) {
  auto& poisoned = wave.poisoned_rows[offset / smallest_row_bytes];
  if (poisoned == 0) {
    std::fill_n(wave.poison + offset, wave.padded, Origin{0});
    poisoned = 1;
    wave.poisoned = true;
  }
  return wave.poison + offset;
}

/// All lanes of the row are defined.
inline void clear_origins(const Wave& wave, std::uint32_t offset) {
  wave.poisoned_rows[offset / smallest_row_bytes] = 0;
}

/// The `index`th of rows side by side that have `bytes` per lane.
inline std::uint32_t row_at(const Wave& wave, std::uint32_t offset, std::uint32_t index, std::uint32_t bytes) {
  return offset + index * bytes * wave.padded;
}

inline const OpSource& source_of(const Wave& wave, const Operation& op) { return wave.program->sources[op.source]; }

/// Tells the observer of new undefined values, and gives the lanes of the row at `offset` their origin if it agrees.
inline void become_undefined(Wave& wave, const Operation& op, Cause cause, Mask lanes,
                             std::span<const std::uint32_t> details, std::uint32_t offset,
                             std::uint32_t root = no_register) {
  if (!lanes.any() || !wave.observer->on_undefined(wave, source_of(wave, op), {cause, lanes, details, root})) {
    return;
  }
  Origin* row = make_origins(wave, offset);
  for_each_lane(lanes, [&](std::uint32_t lane) { row[lane] = make_origin(cause, op.source); });
}

inline void report_use(Wave& wave, const Operation& op, Use use, Mask lanes, std::span<const Origin> origins) {
  if (lanes.any()) {
    wave.observer->on_undefined_use(wave, source_of(wave, op), {use, lanes, origins});
  }
}

inline void add_lane(Mask& lanes, std::uint32_t lane) { lanes = lanes | (first_lanes(lane + 1) - first_lanes(lane)); }

/// Active lanes whose origin is not 0.
inline Mask undefined_lanes(const Wave& wave, const Origin* row) {
  Mask lanes;
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    if (row[lane] != 0) {
      add_lane(lanes, lane);
    }
  });
  return lanes;
}

}  // namespace crosslane::machine
