// Definedness of memory. Groupshared memory has an origin for every byte; what is stored in a buffer is reported there,
// and counts as defined afterwards.
#include <algorithm>

#include "machine/address.hpp"
#include "machine/poison-inl.hpp"

namespace crosslane::machine {
namespace {

// The origins of the bytes of groupshared memory from `place` on; null for other memory.
Origin* groupshared_origins(const Wave& wave, const std::byte* place) {
  auto& group = *wave.group;
  const auto& memory = group.roots[groupshared_root];
  const bool inside = std::less_equal<>()(static_cast<const std::byte*>(memory.data), place) &&
                      std::less<>()(place, memory.data + memory.bytes);
  return inside ? group.groupshared_poison.data() + (place - memory.data) : nullptr;
}

// Active lanes whose address is undefined; they are reported.
Mask report_addresses(Wave& wave, const Operation& op) {
  if (!wave.poisoned || op.a == no_register) {
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

// What a lane reads, by its bytes.
Origin read_origin(const Origin* bytes, std::uint32_t count) {
  if (count == 4 && (bytes[0] | bytes[1] | bytes[2] | bytes[3]) == 0) {
    return 0;
  }
  const auto* const found = std::find_if(bytes, bytes + count, [](Origin origin) { return origin != 0; });
  return found == bytes + count ? 0 : *found;
}

// Rooted loads whose whole range is inside and not in groupshared memory are always defined.
template <AddressMode mode>
bool plainly_defined(const Wave& wave, const Operation& op, std::uint64_t reach) {
  if constexpr (mode != AddressMode::rooted) {
    return false;
  } else {
    if (op.aux == groupshared_root) {
      return false;
    }
    const auto& root = wave.roots[op.aux];
    if (op.a == no_register) {
      return reach <= root.bytes;
    }
    std::uint32_t highest = 0;
    const auto* rows = wave.row<std::uint32_t>(op.a);
    for_each_lane(wave.active, [&](std::uint32_t lane) { highest = std::max(highest, rows[lane]); });
    return highest + reach <= root.bytes;
  }
}

template <AddressMode mode>
void read(Wave& wave, const Operation& op, const AccessPlan& plan) {
  const Mask lost = report_addresses(wave, op);
  const std::uint32_t bytes = plan.component_bytes;
  if (wave.poisoned) {
    for (std::uint32_t component = 0; component < plan.components; ++component) {
      std::fill_n(origins_of_row(wave, op.dst, component, bytes), wave.padded, 0);
    }
  }
  const std::uint64_t reach = std::uint64_t{op.imm} + std::uint64_t{plan.components - 1} * plan.stride + bytes;
  if (plainly_defined<mode>(wave, op, reach)) {
    return;
  }
  for (std::uint32_t component = 0; component < plan.components; ++component) {
    Origin* out = origins_of_row(wave, op.dst, component, bytes);
    Mask outside;
    Mask unwritten;
    for_each_lane(wave.active - lost, [&](std::uint32_t lane) {
      const auto* place = locate<mode>(wave, op, lane, std::uint64_t{component} * plan.stride, bytes);
      if (place == nullptr) {
        add_lane(outside, lane);
      } else if (const Origin* in = groupshared_origins(wave, place); in != nullptr) {
        const Origin origin = read_origin(in, bytes);
        if (origin == never_written) {
          add_lane(unwritten, lane);
        } else if (origin != 0) {
          wave.poisoned = true;
          out[lane] = origin;
        }
      }
    });
    become_undefined(wave, op, Cause::uninitialized_groupshared, unwritten, offsets<mode>(wave, op), out);
    become_undefined(wave, op, Cause::outside_of_buffer, outside, offsets<mode>(wave, op), out);
  }
}

template <AddressMode mode>
void write(Wave& wave, const Operation& op, const AccessPlan& plan) {
  const Mask lost = report_addresses(wave, op);
  if (mode == AddressMode::rooted && op.aux != groupshared_root && !wave.poisoned) {
    return;
  }
  const std::uint32_t bytes = plan.component_bytes;
  for (std::uint32_t component = 0; component < plan.components; ++component) {
    const Origin* in = origins_of_row(wave, op.b, component, bytes);
    Mask reported;
    for_each_lane(wave.active - lost, [&](std::uint32_t lane) {
      const auto* place = locate<mode>(wave, op, lane, std::uint64_t{component} * plan.stride, bytes);
      if (place == nullptr) {
        return;
      }
      if (Origin* to = groupshared_origins(wave, place); to != nullptr) {
        std::fill_n(to, bytes, in[lane]);
      } else if (in[lane] != 0) {
        add_lane(reported, lane);
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
      if (operand != no_register) {
        const Origin* row = origins(wave, operand);
        report_use(wave, op, Use::atomic, undefined_lanes(wave, row), {row, wave.lanes});
      }
    }
    if (op.dst != no_register) {
      std::fill_n(origins(wave, op.dst), wave.padded, 0);
    }
  }
  const std::uint32_t bytes = plan.component_bytes;
  Mask unwritten;
  for_each_lane(wave.active - lost, [&](std::uint32_t lane) {
    const auto* place = locate<mode>(wave, op, lane, 0, bytes);
    Origin* memory = place == nullptr ? nullptr : groupshared_origins(wave, place);
    if (memory == nullptr) {
      return;
    }
    const Origin old = read_origin(memory, bytes);
    if (old == never_written) {
      add_lane(unwritten, lane);
    } else if (old != 0 && op.dst != no_register) {
      wave.poisoned = true;
      origins(wave, op.dst)[lane] = old;
    }
    if (replaces(plan.opcode)) {
      std::fill_n(memory, bytes, 0);
    }
  });
  if (op.dst != no_register) {
    become_undefined(wave, op, Cause::uninitialized_groupshared, unwritten, offsets<mode>(wave, op),
                     origins(wave, op.dst));
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

template <std::uint32_t slot, std::uint32_t bytes>
void load_private(Wave& wave, const Operation& op) {
  if (!wave.poisoned) {
    return;
  }
  for (std::uint32_t component = 0; component < op.count; ++component) {
    std::fill_n(origins_of_row(wave, op.dst, component, bytes), wave.padded, 0);
  }
  for_each_leaf(wave, op, [&](std::uint32_t lane, std::uint32_t component, std::uint32_t leaf) {
    origins_of_row(wave, op.dst, component, bytes)[lane] = origins_of_row(wave, op.b, leaf, slot)[lane];
  });
}

template <std::uint32_t slot, std::uint32_t bytes>
void store_private(Wave& wave, const Operation& op) {
  if (!wave.poisoned) {
    return;
  }
  for_each_leaf(wave, op, [&](std::uint32_t lane, std::uint32_t component, std::uint32_t leaf) {
    origins_of_row(wave, op.b, leaf, slot)[lane] = origins_of_row(wave, op.c, component, bytes)[lane];
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
