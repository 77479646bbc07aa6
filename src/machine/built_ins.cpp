#include "machine/built_ins.hpp"

#include <algorithm>
#include <array>

#include "base/rounding.hpp"
#include "machine/group.hpp"

namespace crosslane::machine {
namespace {

struct Rows {
  std::uint32_t* first = nullptr;
  std::size_t padded = 0;

  [[nodiscard]] std::uint32_t* row(std::size_t component) const { return first + component * padded; }
  void fill(std::size_t component, std::uint32_t value) const { std::fill_n(row(component), padded, value); }
  template <typename OfLane>
  void each(std::size_t component, OfLane of_lane) const {
    for (std::uint32_t lane = 0; lane < padded; ++lane) {
      row(component)[lane] = of_lane(lane);
    }
  }
};

// One of the five masks: `lanes(lane)` says which lanes it holds.
template <typename Lanes>
void fill_masks(const Rows& rows, Lanes lanes) {
  for (std::size_t word = 0; word < 4; ++word) {
    rows.each(word, [&](std::uint32_t lane) {
      const Mask mask = lanes(lane);
      return static_cast<std::uint32_t>((word < 2 ? mask.low : mask.high) >> (32U * (word & 1U)));
    });
  }
}

// The thread that is lane `lane` of the wave; lanes that do not exist count on.
std::uint32_t thread_of(const Wave& wave, std::uint32_t lane) {
  const std::uint32_t place = wave.index * wave.lanes + lane;
  const auto* threads = wave.group->threads;
  return threads != nullptr && place < threads->size() ? (*threads)[place] : place;
}

std::array<std::uint32_t, 3> local_id(const Program& program, std::uint32_t index) {
  const auto& size = program.group_size;
  return {index % size[0], index / size[0] % size[1], index / size[0] / size[1]};
}

void fill_fixed(const Wave& wave, const Program& program, BuiltIn what, const Rows& rows) {
  const Mask all = first_lanes(wave.lanes);
  const auto& size = program.group_size;
  switch (what) {
    case BuiltIn::local_invocation_id:
      for (std::size_t axis = 0; axis < 3; ++axis) {
        rows.each(axis, [&](std::uint32_t lane) { return local_id(program, thread_of(wave, lane))[axis]; });
      }
      return;
    case BuiltIn::local_invocation_index:
      return rows.each(0, [&](std::uint32_t lane) { return thread_of(wave, lane); });
    case BuiltIn::subgroup_id:
      return rows.fill(0, wave.index);
    case BuiltIn::num_subgroups:
      return rows.fill(0,
                       static_cast<std::uint32_t>(divide_up(std::uint64_t{size[0]} * size[1] * size[2], wave.lanes)));
    case BuiltIn::subgroup_size:
      return rows.fill(0, wave.group->reported_lanes != 0 ? wave.group->reported_lanes : wave.lanes);
    case BuiltIn::subgroup_lane:
      return rows.each(0, [](std::uint32_t lane) { return lane; });
    case BuiltIn::subgroup_eq_mask:
      return fill_masks(rows, [&](std::uint32_t lane) { return all & (first_lanes(lane + 1) - first_lanes(lane)); });
    case BuiltIn::subgroup_ge_mask:
      return fill_masks(rows, [&](std::uint32_t lane) { return all - first_lanes(lane); });
    case BuiltIn::subgroup_gt_mask:
      return fill_masks(rows, [&](std::uint32_t lane) { return all - first_lanes(lane + 1); });
    case BuiltIn::subgroup_le_mask:
      return fill_masks(rows, [&](std::uint32_t lane) { return all & first_lanes(lane + 1); });
    case BuiltIn::subgroup_lt_mask:
      return fill_masks(rows, [&](std::uint32_t lane) { return all & first_lanes(lane); });
    case BuiltIn::device_index:
      return rows.fill(0, 0);
    default:
      return;
  }
}

}  // namespace

void fill_fixed_built_ins(Wave& wave, const Program& program) {
  for (const auto& built_in : program.built_ins) {
    fill_fixed(wave, program, built_in.what, {wave.row<std::uint32_t>(built_in.offset), wave.padded});
  }
}

void fill_group_built_ins(Wave& wave, const Program& program) {
  const auto& group = *wave.group;
  for (const auto& built_in : program.built_ins) {
    const Rows rows{wave.row<std::uint32_t>(built_in.offset), wave.padded};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (built_in.what == BuiltIn::workgroup_id) {
        rows.fill(axis, group.id[axis]);
      } else if (built_in.what == BuiltIn::num_workgroups) {
        rows.fill(axis, group.count[axis]);
      } else if (built_in.what == BuiltIn::global_invocation_id) {
        const auto start = group.id[axis] * program.group_size[axis];
        rows.each(axis, [&](std::uint32_t lane) { return start + local_id(program, thread_of(wave, lane))[axis]; });
      }
    }
  }
}

}  // namespace crosslane::machine
