// What the files of poison.hpp's handlers share.
#pragma once

#include <array>

#include "machine/observer.hpp"
#include "machine/poison.hpp"
#include "machine/program.hpp"
#include "machine/wave.hpp"

namespace crosslane::machine {

using OriginRow = std::array<Origin, largest_wave>;

/// The origins of the row at byte `offset`, one per lane; zeros for no_register.
inline Origin* origins(const Wave& wave, std::uint32_t offset) { return wave.poison + offset; }
inline const Origin* origins_or_none(const Wave& wave, std::uint32_t offset) {
  static constexpr OriginRow none{};
  return offset == no_register ? none.data() : wave.poison + offset;
}

/// The origins of the `index`th of rows side by side that have `bytes` per lane.
inline Origin* origins_of_row(const Wave& wave, std::uint32_t offset, std::uint32_t index, std::uint32_t bytes) {
  return wave.poison + offset + std::size_t{index} * bytes * wave.padded;
}

inline const OpSource& source_of(const Wave& wave, const Operation& op) { return wave.program->sources[op.source]; }

/// Tells the observer of new undefined values, and gives the lanes of `row` their origin if it agrees.
inline void become_undefined(Wave& wave, const Operation& op, Cause cause, Mask lanes,
                             std::span<const std::uint32_t> details, Origin* row) {
  if (!lanes.any() || !wave.observer->on_undefined(wave, source_of(wave, op), {cause, lanes, details})) {
    return;
  }
  wave.poisoned = true;
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
