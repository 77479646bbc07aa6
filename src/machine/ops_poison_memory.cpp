// Definedness of memory. Groupshared memory has an origin for every byte; what is stored in a buffer is reported there,
// and counts as defined afterwards.
#include <algorithm>

#include "machine/address.hpp"
#include "machine/poison-inl.hpp"

namespace crosslane::machine {
namespace {

// Bytes of groupshared memory, what is known of each and their origins; null for other memory.
struct GroupsharedBytes {
  ByteState* states = nullptr;
  Origin* origins = nullptr;

  void define(std::uint32_t count) const { std::fill_n(states, count, ByteState::defined); }
  void make_undefined(std::uint32_t count, Origin origin) const {
    std::fill_n(states, count, ByteState::undefined);
    std::fill_n(origins, count, origin);
  }
};

GroupsharedBytes groupshared_bytes(const Wave& wave, std::uint64_t offset) {
  return {wave.group->groupshared_states.data() + offset, wave.group->groupshared_poison.data() + offset};
}

GroupsharedBytes groupshared_bytes(const Wave& wave, const std::byte* place) {
  const auto& memory = wave.group->roots[groupshared_root];
  const bool inside = std::less_equal<>()(static_cast<const std::byte*>(memory.data), place) &&
                      std::less<>()(place, memory.data + memory.bytes);
  return inside ? groupshared_bytes(wave, static_cast<std::uint64_t>(place - memory.data)) : GroupsharedBytes{};
}

// Active lanes whose address is undefined; they are reported.
Mask report_addresses(Wave& wave, const Operation& op) {
  if (!wave.poisoned || !has_origins(wave, op.a)) {
    return {};
  }
  const Origin* row = origins(wave, op.a);
  const Mask lanes = undefined_lanes(wave, row);
  report_use(wave, op, Use::address, lanes, {row, wave.lanes});
  return lanes;
}

template <AddressMode mode>
std::array<std::uint32_t, largest_wave> offsets(const Wave& wave, const Operation& op) {
  std::array<std::uint32_t, largest_wave> result{};
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    if constexpr (mode == AddressMode::rooted) {
      result[lane] = (op.a == no_register ? 0 : wave.row<std::uint32_t>(op.a)[lane]) + op.imm;
    } else {
      result[lane] = static_cast<std::uint32_t>(wave.row<std::uint64_t>(op.a)[lane]) + op.imm;
    }
  });
  return result;
}

bool all_defined(const ByteState* states, std::uint64_t count) {
  std::uint8_t any = 0;
  for (std::uint64_t byte = 0; byte < count; ++byte) {
    any = static_cast<std::uint8_t>(any | static_cast<std::uint8_t>(states[byte]));
  }
  return any == 0;
}

// Bytes that the lanes reach with nothing between them, from AccessShape::first on; 0 where they do not.
std::uint64_t dense_bytes(const AccessShape& shape, const AccessPlan& plan) {
  const auto of_lane = bytes_reached(plan);
  return shape.even && (shape.step == of_lane || shape.step == 0) &&
                 (plan.components == 1 || plan.stride == plan.component_bytes)
             ? std::uint64_t{shape.lanes - 1} * shape.step + of_lane
             : 0;
}

// Whether a look at the whole wave shows that all lanes read what is inside and defined.
bool plainly_defined(const Wave& wave, const AccessPlan& plan) {
  const auto& shape = wave.shape;
  if (!shape.rooted || shape.highest + bytes_reached(plan) > wave.roots[shape.root].bytes) {
    return false;
  }
  if (shape.root != groupshared_root) {
    return true;
  }
  // All that lies between the lanes is looked at too, unless that is much more.
  constexpr std::uint64_t most_bytes_of_lane = 64;
  const auto range = shape.highest - shape.lowest + bytes_reached(plan);
  return range <= shape.lanes * most_bytes_of_lane && all_defined(groupshared_bytes(wave, shape.lowest).states, range);
}

template <AddressMode mode>
void read(Wave& wave, const Operation& op, const AccessPlan& plan) {
  const Mask lost = report_addresses(wave, op);
  const std::uint32_t bytes = plan.component_bytes;
  if (wave.poisoned) {
    for (std::uint32_t component = 0; component < plan.components; ++component) {
      clear_origins(wave, row_at(wave, op.dst, component, bytes));
    }
  }
  if (plainly_defined(wave, plan)) {
    return;
  }
  for (std::uint32_t component = 0; component < plan.components; ++component) {
    const auto row = row_at(wave, op.dst, component, bytes);
    Mask outside;
    Mask unwritten;
    for_each_lane(wave.active - lost, [&](std::uint32_t lane) {
      const auto* place = locate<mode>(wave, op, lane, std::uint64_t{component} * plan.stride, bytes);
      if (place == nullptr) {
        add_lane(outside, lane);
        return;
      }
      const auto memory = groupshared_bytes(wave, place);
      if (memory.states == nullptr || all_defined(memory.states, bytes)) {
        return;
      }
      const auto* const undefined = std::find(memory.states, memory.states + bytes, ByteState::undefined);
      if (undefined == memory.states + bytes) {
        add_lane(unwritten, lane);
      } else {
        make_origins(wave, row)[lane] = memory.origins[undefined - memory.states];
      }
    });
    if (unwritten.any()) {
      become_undefined(wave, op, Cause::uninitialized_groupshared, unwritten, offsets<mode>(wave, op), row);
    }
    if (outside.any()) {
      become_undefined(wave, op, Cause::outside_of_buffer, outside, offsets<mode>(wave, op), row,
                       mode == AddressMode::rooted ? op.aux : no_register);
    }
  }
}

// True where all lanes write defined values to groupshared memory side by side: the memory is then defined.
bool write_densely(const Wave& wave, const Operation& op, const AccessPlan& plan) {
  const auto& shape = wave.shape;
  for (std::uint32_t component = 0; component < plan.components; ++component) {
    if (has_origins(wave, row_at(wave, op.b, component, plan.component_bytes))) {
      return false;
    }
  }
  const auto dense = dense_bytes(shape, plan);
  if (dense == 0 || shape.highest + bytes_reached(plan) > wave.roots[shape.root].bytes) {
    return false;
  }
  std::fill_n(groupshared_bytes(wave, shape.first).states, dense, ByteState::defined);
  return true;
}

template <AddressMode mode>
void write(Wave& wave, const Operation& op, const AccessPlan& plan) {
  const Mask lost = report_addresses(wave, op);
  if constexpr (mode == AddressMode::rooted) {
    if (op.aux == groupshared_root ? !lost.any() && write_densely(wave, op, plan) : !wave.poisoned) {
      return;
    }
  }
  const std::uint32_t bytes = plan.component_bytes;
  for (std::uint32_t component = 0; component < plan.components; ++component) {
    const Origin* in = origins(wave, row_at(wave, op.b, component, bytes));
    Mask reported;
    for_each_lane(wave.active - lost, [&](std::uint32_t lane) {
      const auto* place = locate<mode>(wave, op, lane, std::uint64_t{component} * plan.stride, bytes);
      if (place == nullptr) {
        return;
      }
      if (const auto memory = groupshared_bytes(wave, place); memory.states == nullptr) {
        if (in[lane] != 0) {
          add_lane(reported, lane);
        }
      } else if (in[lane] == 0) {
        memory.define(bytes);
      } else {
        memory.make_undefined(bytes, in[lane]);
      }
    });
    report_use(wave, op, Use::store, reported, {in, wave.lanes});
  }
}

bool replaces(spv::Op opcode) { return opcode == spv::Op::OpAtomicStore || opcode == spv::Op::OpAtomicExchange; }

template <AddressMode mode>
void modify(Wave& wave, const Operation& op, const AccessPlan& plan) {
  const Mask lost = report_addresses(wave, op);
  if (wave.poisoned) {
    for (const auto operand : {op.b, op.c}) {
      if (has_origins(wave, operand)) {
        const Origin* row = origins(wave, operand);
        report_use(wave, op, Use::atomic, undefined_lanes(wave, row), {row, wave.lanes});
      }
    }
    if (op.dst != no_register) {
      clear_origins(wave, op.dst);
    }
  }
  if (mode == AddressMode::rooted && op.aux != groupshared_root) {
    return;
  }
  const std::uint32_t bytes = plan.component_bytes;
  Mask unwritten;
  for_each_lane(wave.active - lost, [&](std::uint32_t lane) {
    const auto* place = locate<mode>(wave, op, lane, 0, bytes);
    const auto memory = place == nullptr ? GroupsharedBytes{} : groupshared_bytes(wave, place);
    if (memory.states == nullptr) {
      return;
    }
    if (!all_defined(memory.states, bytes)) {
      const auto* const undefined = std::find(memory.states, memory.states + bytes, ByteState::undefined);
      if (undefined == memory.states + bytes) {
        add_lane(unwritten, lane);
      } else if (op.dst != no_register) {
        make_origins(wave, op.dst)[lane] = memory.origins[undefined - memory.states];
      }
    }
    if (replaces(plan.opcode)) {
      memory.define(bytes);
    }
  });
  // What the atomic leaves is as undefined as what it found, and it is where that began.
  if (unwritten.any() && !replaces(plan.opcode) &&
      wave.observer->on_undefined(
          wave, source_of(wave, op),
          {Cause::uninitialized_groupshared, unwritten, offsets<mode>(wave, op), no_register})) {
    for_each_lane(unwritten, [&](std::uint32_t lane) {
      const auto* place = locate<mode>(wave, op, lane, 0, bytes);
      groupshared_bytes(wave, place).make_undefined(bytes, make_origin(Cause::uninitialized_groupshared, op.source));
    });
  }
  if (op.dst != no_register && unwritten.any()) {
    become_undefined(wave, op, Cause::uninitialized_groupshared, unwritten, offsets<mode>(wave, op), op.dst);
  }
}

template <AddressMode mode>
void access(Wave& wave, const Operation& op) {
  const auto& plan = wave.program->accesses[op.count];
  switch (plan.kind) {
    case AccessKind::read:
      return read<mode>(wave, op, plan);
    case AccessKind::write:
      return write<mode>(wave, op, plan);
    case AccessKind::atomic:
      return modify<mode>(wave, op, plan);
  }
}

// Calls `visit(lane, component, leaf)` for the active lanes whose index is defined.
template <typename Visit>
void for_each_leaf(Wave& wave, const Operation& op, Visit visit) {
  const Mask lost = report_addresses(wave, op);
  for (std::uint32_t component = 0; component < op.count; ++component) {
    for_each_lane(wave.active - lost, [&](std::uint32_t lane) {
      const std::uint64_t first = op.a == no_register ? 0 : wave.row<std::uint32_t>(op.a)[lane];
      const std::uint64_t leaf = first + op.imm + std::uint64_t{component} * op.extra;
      if (leaf < op.aux) {
        visit(lane, component, static_cast<std::uint32_t>(leaf));
      }
    });
  }
}

// Whether any of the rows that an index may choose has origins.
bool any_origins(const Wave& wave, std::uint32_t first, std::uint32_t rows, std::uint32_t bytes) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (has_origins(wave, row_at(wave, first, row, bytes))) {
      return true;
    }
  }
  return false;
}

template <std::uint32_t slot, std::uint32_t bytes>
void load_private(Wave& wave, const Operation& op) {
  if (!wave.poisoned) {
    return;
  }
  for (std::uint32_t component = 0; component < op.count; ++component) {
    clear_origins(wave, row_at(wave, op.dst, component, bytes));
  }
  if (!any_origins(wave, op.b, op.aux, slot) && !has_origins(wave, op.a)) {
    return;
  }
  for_each_leaf(wave, op, [&](std::uint32_t lane, std::uint32_t component, std::uint32_t leaf) {
    const auto from = row_at(wave, op.b, leaf, slot);
    if (has_origins(wave, from)) {
      const Origin origin = origins(wave, from)[lane];
      if (origin != 0) {
        make_origins(wave, row_at(wave, op.dst, component, bytes))[lane] = origin;
      }
    }
  });
}

template <std::uint32_t slot, std::uint32_t bytes>
void store_private(Wave& wave, const Operation& op) {
  if (!wave.poisoned || (!any_origins(wave, op.b, op.aux, slot) && !any_origins(wave, op.c, op.count, bytes) &&
                         !has_origins(wave, op.a))) {
    return;
  }
  for_each_leaf(wave, op, [&](std::uint32_t lane, std::uint32_t component, std::uint32_t leaf) {
    const auto from = row_at(wave, op.c, component, bytes);
    const auto to = row_at(wave, op.b, leaf, slot);
    if (has_origins(wave, from) || has_origins(wave, to)) {
      make_origins(wave, to)[lane] = origins(wave, from)[lane];
    }
  });
}

template <std::uint32_t bytes>
Handler load_of(std::uint32_t slot) {
  return slot == bytes ? &load_private<bytes, bytes> : &load_private<8, bytes>;
}
template <std::uint32_t bytes>
Handler store_of(std::uint32_t slot) {
  return slot == bytes ? &store_private<bytes, bytes> : &store_private<8, bytes>;
}

}  // namespace

Handler poison_access_handler(AddressMode mode) {
  switch (mode) {
    case AddressMode::rooted:
      return &access<AddressMode::rooted>;
    case AddressMode::fat:
      return &access<AddressMode::fat>;
    default:
      return &access<AddressMode::physical>;
  }
}

Handler poison_load_private_handler(std::uint32_t slot, std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return load_of<1>(slot);
    case 2:
      return load_of<2>(slot);
    case 4:
      return load_of<4>(slot);
    default:
      return load_of<8>(slot);
  }
}

Handler poison_store_private_handler(std::uint32_t slot, std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return store_of<1>(slot);
    case 2:
      return store_of<2>(slot);
    case 4:
      return store_of<4>(slot);
    default:
      return store_of<8>(slot);
  }
}

}  // namespace crosslane::machine
