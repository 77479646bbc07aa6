#include "machine/observe.hpp"

#include "machine/program.hpp"
#include "machine/wave.hpp"

namespace crosslane::machine {
namespace {

const OpSource& source(const Wave& wave, const Operation& op) { return wave.program->sources[op.source]; }

void observe_instruction(Wave& wave, const Operation& op) {
  if (wave.observer != nullptr) {
    wave.observer->on_instruction(wave, source(wave, op));
  }
}

template <AddressMode mode>
LaneAddress address(const Wave& wave, const Operation& op, std::uint32_t lane) {
  if constexpr (mode == AddressMode::rooted) {
    const std::uint64_t offset = op.a == no_register ? 0 : wave.row<std::uint32_t>(op.a)[lane];
    return {op.aux, offset + op.imm};
  } else {
    const auto pointer = wave.row<std::uint64_t>(op.a)[lane];
    if constexpr (mode == AddressMode::fat) {
      // Null pointers have no root.
      return {pointer >> 32U == 0 ? no_register : static_cast<std::uint32_t>(pointer >> 32U) - 1,
              (pointer & 0xFFFFFFFFU) + op.imm};
    } else {
      return {no_register, pointer + op.imm};
    }
  }
}

template <AddressMode mode>
void observe_access(Wave& wave, const Operation& op) {
  if (wave.observer == nullptr) {
    return;
  }
  std::array<LaneAddress, largest_wave> lanes;
  for_each_lane(wave.active, [&](std::uint32_t lane) { lanes[lane] = address<mode>(wave, op, lane); });
  wave.observer->on_access(wave, source(wave, op),
                           {.plan = wave.program->accesses[op.count],
                            .lanes = std::span(lanes).first(wave.lanes),
                            .values = op.b == no_register ? nullptr : wave.row<std::byte>(op.b),
                            .padded = wave.padded});
}

void observe_cross_lane(Wave& wave, const Operation& op) {
  if (wave.observer != nullptr) {
    wave.observer->on_cross_lane(wave, source(wave, op), {.source_lanes = {wave.row<std::uint32_t>(op.b), wave.lanes}});
  }
}

void observe_fence(Wave& wave, const Operation& op) {
  if (wave.observer != nullptr) {
    wave.observer->on_fence(wave, source(wave, op), wave.program->barriers[op.imm]);
  }
}

}  // namespace

Handler observe_instruction_handler() { return &observe_instruction; }

Handler observe_access_handler(AddressMode mode) {
  switch (mode) {
    case AddressMode::rooted:
      return &observe_access<AddressMode::rooted>;
    case AddressMode::fat:
      return &observe_access<AddressMode::fat>;
    default:
      return &observe_access<AddressMode::physical>;
  }
}

Handler observe_cross_lane_handler() { return &observe_cross_lane; }
Handler observe_fence_handler() { return &observe_fence; }

}  // namespace crosslane::machine
