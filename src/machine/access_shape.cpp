#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/access_shape.cpp"
#include "machine/access_shape.hpp"

#include "machine/targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "machine/wave.hpp"

HWY_BEFORE_NAMESPACE();
namespace crosslane::machine::HWY_NAMESPACE {
namespace {

struct Offsets {
  std::uint32_t lowest = 0;
  std::uint32_t highest = 0;
  std::uint32_t uneven = 0;  // not 0 where an offset is not `step` after the one before it
};

Offsets inspect(const std::uint32_t* HWY_RESTRICT offsets, const std::uint32_t* HWY_RESTRICT active,
                std::uint32_t lanes, std::uint32_t lead, std::uint32_t step) {
  const std::uint32_t origin = offsets[lead] - lead * step;
  std::uint32_t lowest = offsets[lead];
  std::uint32_t highest = 0;
  std::uint32_t uneven = 0;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint32_t offset = offsets[lane] & active[lane];
    const std::uint32_t or_more = offsets[lane] | ~active[lane];
    lowest = lowest < or_more ? lowest : or_more;
    highest = highest > offset ? highest : offset;
    uneven |= (offsets[lane] - origin - lane * step) & active[lane];
  }
  return {lowest, highest, uneven};
}

}  // namespace

AccessShape find_shape(const Wave& wave, const std::uint32_t* offsets, std::uint32_t root, std::uint32_t further) {
  const auto lead = wave.active.first();
  const auto lanes = wave.active.count();
  const auto last = wave.active.last();
  const auto step = lanes > 1 && last - lead + 1 == lanes ? offsets[lead + 1] - offsets[lead] : 0;
  const auto [lowest, highest, uneven] = inspect(offsets, wave.active_row, wave.padded & ~(row_lanes - 1), lead, step);
  return {.rooted = true,
          .even = uneven == 0 && last - lead + 1 == lanes,
          .root = root,
          .lead = lead,
          .lanes = lanes,
          .step = step,
          .first = std::uint64_t{offsets[lead]} + further,
          .lowest = std::uint64_t{lowest} + further,
          .highest = std::uint64_t{highest} + further};
}

}  // namespace crosslane::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::machine {

HWY_EXPORT(find_shape);

AccessShape shape_of(const Wave& wave, const std::uint32_t* offsets, std::uint32_t root, std::uint32_t further) {
  return HWY_DYNAMIC_DISPATCH(find_shape)(wave, offsets, root, further);
}

AccessShape shape_of_one_place(const Wave& wave, std::uint32_t root, std::uint32_t offset) {
  const auto lead = wave.active.first();
  const auto lanes = wave.active.count();
  return {.rooted = true,
          .even = wave.active.last() - lead + 1 == lanes,
          .root = root,
          .lead = lead,
          .lanes = lanes,
          .step = 0,
          .first = offset,
          .lowest = offset,
          .highest = offset};
}

}  // namespace crosslane::machine
#endif
