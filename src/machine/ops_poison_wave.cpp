// Definedness of what lanes get from other lanes.
#include <algorithm>

#include <spirv/unified1/spirv.hpp11>

#include "machine/poison-inl.hpp"

namespace crosslane::machine {
namespace {

// The first undefined one of a's rows in the lanes `among`.
Origin first_undefined(const Wave& wave, const Operation& op, std::uint32_t bytes, Mask among) {
  Origin found = 0;
  for (std::uint32_t row = 0; row < op.count && found == 0; ++row) {
    const Origin* in = origins(wave, row_at(wave, op.a, row, bytes));
    for_each_lane(among, [&](std::uint32_t lane) { found = found != 0 ? found : in[lane]; });
  }
  return found;
}

// The same origin in all lanes of a row.
void fill_row(Wave& wave, std::uint32_t offset, Origin origin) {
  if (origin == 0) {
    clear_origins(wave, offset);
  } else {
    std::fill_n(make_origins(wave, offset), wave.padded, origin);
  }
}

void vote(Wave& wave, const Operation& op) {
  if (!wave.poisoned) {
    return;
  }
  const Origin found = first_undefined(wave, op, op.extra, wave.active);
  for (std::uint32_t row = 0; row < op.aux; ++row) {
    fill_row(wave, row_at(wave, op.dst, row, op.imm), found);
  }
}

void shuffle_origins(Wave& wave, const Operation& op) {
  const std::uint32_t* from = wave.row<std::uint32_t>(op.b);
  for (std::uint32_t row = 0; row < op.count; ++row) {
    const auto source = row_at(wave, op.a, row, op.imm);
    const auto to = row_at(wave, op.dst, row, op.imm);
    if (!has_origins(wave, source) && !has_origins(wave, op.b)) {
      clear_origins(wave, to);
      continue;
    }
    const Origin* which = origins(wave, op.b);
    const Origin* in = origins(wave, source);
    Origin* out = make_origins(wave, to);
    for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
      const bool exists = from[lane] < wave.lanes;
      out[lane] = which[lane] != 0 ? which[lane] : exists ? in[from[lane]] : 0;
    }
  }
}

void shuffle(Wave& wave, const Operation& op) {
  const std::uint32_t* from = wave.row<std::uint32_t>(op.b);
  if (wave.poisoned) {
    shuffle_origins(wave, op);
  }
  std::uint32_t highest = 0;
  for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
    highest = std::max(highest, from[lane] & wave.active_row[lane]);
  }
  if (wave.active == wave.full && highest < wave.full.count()) {
    return;
  }
  const Origin* which = origins(wave, op.b);
  Mask out_of_range;
  Mask inactive;
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    if (from[lane] >= wave.lanes) {
      add_lane(out_of_range, lane);
    } else if (!wave.active.test(from[lane])) {
      add_lane(inactive, lane);
    }
  });
  for (auto [cause, lanes] :
       {std::pair{Cause::lane_out_of_range, out_of_range}, std::pair{Cause::lane_inactive, inactive}}) {
    for_each_lane(lanes, [&, &among = lanes](std::uint32_t lane) {
      if (which[lane] != 0) {
        among = among - (first_lanes(lane + 1) - first_lanes(lane));
      }
    });
    if (!lanes.any() ||
        !wave.observer->on_undefined(wave, source_of(wave, op), {cause, lanes, {from, wave.lanes}, no_register})) {
      continue;
    }
    for (std::uint32_t component = 0; component < op.count; ++component) {
      Origin* out = make_origins(wave, row_at(wave, op.dst, component, op.imm));
      for_each_lane(lanes, [&, cause = cause](std::uint32_t lane) { out[lane] = make_origin(cause, op.source); });
    }
  }
}

void broadcast_first(Wave& wave, const Operation& op) {
  if (!wave.poisoned) {
    return;
  }
  for (std::uint32_t row = 0; row < op.count; ++row) {
    fill_row(wave, row_at(wave, op.dst, row, op.imm),
             origins(wave, row_at(wave, op.a, row, op.imm))[wave.active.first()]);
  }
}

Mask partition_of(const Wave& wave, const Operation& op, std::uint32_t lane) {
  const auto* rows = wave.row<std::uint32_t>(op.b);
  const auto word = [&](std::size_t index) { return std::uint64_t{rows[index * wave.padded + lane]}; };
  return {word(0) | word(1) << 32U, word(2) | word(3) << 32U};
}

// The lanes whose values make up what `lane` gets.
Mask combined_lanes(const Wave& wave, const Operation& op, std::uint32_t lane) {
  switch (static_cast<spv::GroupOperation>(op.imm)) {
    case spv::GroupOperation::InclusiveScan:
      return wave.active & first_lanes(lane + 1);
    case spv::GroupOperation::ExclusiveScan:
      return wave.active & first_lanes(lane);
    case spv::GroupOperation::ClusteredReduce: {
      const std::uint32_t start = lane - lane % op.aux;
      return wave.active & (first_lanes(std::min(start + op.aux, largest_wave)) - first_lanes(start));
    }
    case spv::GroupOperation::PartitionedReduceNV:
      return wave.active & partition_of(wave, op, lane);
    case spv::GroupOperation::PartitionedInclusiveScanNV:
      return wave.active & partition_of(wave, op, lane) & first_lanes(lane + 1);
    case spv::GroupOperation::PartitionedExclusiveScanNV:
      return wave.active & partition_of(wave, op, lane) & first_lanes(lane);
    default:
      return wave.active;
  }
}

void arithmetic(Wave& wave, const Operation& op) {
  if (!wave.poisoned) {
    return;
  }
  for (std::uint32_t row = 0; row < op.count; ++row) {
    const auto from = row_at(wave, op.a, row, op.extra);
    const auto to = row_at(wave, op.dst, row, op.extra);
    if (!has_origins(wave, from)) {
      clear_origins(wave, to);
      continue;
    }
    const Origin* in = origins(wave, from);
    OriginRow out{};
    if (undefined_lanes(wave, in).any()) {
      for_each_lane(wave.active, [&](std::uint32_t lane) {
        for_each_lane(combined_lanes(wave, op, lane),
                      [&](std::uint32_t other) { out[lane] = out[lane] != 0 ? out[lane] : in[other]; });
      });
    }
    std::copy_n(out.data(), wave.padded, make_origins(wave, to));
  }
}

}  // namespace

Handler poison_vote_handler() { return &vote; }
Handler poison_shuffle_handler() { return &shuffle; }
Handler poison_broadcast_first_handler() { return &broadcast_first; }
Handler poison_arithmetic_handler() { return &arithmetic; }

}  // namespace crosslane::machine
