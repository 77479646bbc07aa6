#include "sanitize/rows_of_access.hpp"

#include <bit>

namespace crosslane::sanitize {

std::size_t find_rows(const machine::MemoryEvent& event, const machine::Mask& active, std::uint32_t place_bytes,
                      bool two_readers, std::span<RowOfPlaces> rows) {
  const auto& plan = event.plan;
  const auto& shape = event.shape;
  const auto& lanes = event.lanes;
  const auto of_lane = static_cast<std::uint32_t>(machine::bytes_reached(plan));
  const auto places = of_lane / place_bytes;
  const auto shift = static_cast<std::uint32_t>(std::countr_zero(places));
  if ((plan.components > 1 && plan.stride != plan.component_bytes) || of_lane % place_bytes != 0 ||
      !std::has_single_bit(places)) {
    return 0;
  }
  // Lanes that read the same as their neighbours: the first and the last of them are all that two readers can be.
  constexpr std::uint32_t no_shift = 31;
  const bool merges = plan.kind == machine::AccessKind::read && two_readers;
  std::size_t count = 0;
  if (shape.even && (shape.step == of_lane || (shape.step == 0 && (merges || shape.lanes == 1)))) {
    const auto first = shape.first / place_bytes;
    if (shape.first % place_bytes != 0) {
      return 0;
    }
    if (shape.step != 0) {
      rows[count++] = {first, shape.lanes * places, shape.lead, shift};
      return count;
    }
    rows[count++] = {first, places, shape.lead, no_shift};
    if (shape.lanes > 1) {
      rows[count++] = {first, places, shape.lead + shape.lanes - 1, no_shift};
    }
    return count;
  }
  bool whole = true;
  bool repeats = false;  // the last row is a second reader of the one before it
  std::uint64_t before = 0;
  std::uint32_t lane_before = 0;
  machine::for_each_lane(active, [&](std::uint32_t lane) {
    const auto offset = lanes[lane].offset;
    whole = whole && offset % place_bytes == 0;
    const bool follows = count != 0 && lane == lane_before + 1;
    if (follows && !repeats && rows[count - 1].shift == shift && offset == before + of_lane) {
      rows[count - 1].count += places;
    } else if (merges && follows && offset == before && rows[count - 1].count == places) {
      if (!repeats) {
        rows[count - 1].shift = no_shift;
        rows[count] = rows[count - 1];
        ++count;
        repeats = true;
      }
      rows[count - 1].lane = lane;
    } else {
      rows[count++] = {offset / place_bytes, places, lane, shift};
      repeats = false;
    }
    before = offset;
    lane_before = lane;
  });
  return whole ? count : 0;
}

}  // namespace crosslane::sanitize
