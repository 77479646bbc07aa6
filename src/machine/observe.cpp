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
LaneAddresses addresses(const Wave& wave, const Operation& op) {
  if constexpr (mode == AddressMode::rooted) {
    return {
        .offsets = op.a == no_register ? nullptr : wave.row<std::uint32_t>(op.a), .root = op.aux, .further = op.imm};
  } else {
    return {.pointers = wave.row<std::uint64_t>(op.a), .physical = mode == AddressMode::physical, .further = op.imm};
  }
}

// The shape stays with the wave for the operation that follows undefined values, which comes next.
template <AddressMode mode>
void observe_access(Wave& wave, const Operation& op) {
  if (wave.observer == nullptr) {
    return;
  }
  const auto lanes = addresses<mode>(wave, op);
  if constexpr (mode == AddressMode::rooted) {
    wave.shape = lanes.offsets == nullptr ? shape_of_one_place(wave, op.aux, op.imm)
                                          : shape_of(wave, lanes.offsets, op.aux, op.imm);
  } else {
    wave.shape = {};
  }
  wave.observer->on_access(wave, source(wave, op),
                           {.plan = wave.program->accesses[op.count],
                            .shape = wave.shape,
                            .lanes = lanes,
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
