#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/ops_memory.cpp"
#include <cstring>
#include <limits>

#include "machine/targets.hpp"

#include <hwy/foreach_target.h>

#include "machine/address.hpp"
#include "machine/lane_loops-inl.hpp"
#include "machine/memory.hpp"

HWY_BEFORE_NAMESPACE();
namespace crosslane::machine::HWY_NAMESPACE {
namespace {

// What the active lanes' offsets have in common.
struct Pattern {
  std::uint32_t first = 0;    // of the first active lane
  std::uint32_t highest = 0;  // largest offset
  std::uint32_t step = 0;     // from one lane to the next, where `even`
  bool same = false;
  bool even = false;        // every lane that exists is active, and offsets rise by `step`
  std::uint32_t lanes = 0;  // that exist: fewer than the wave's in the last wave of a group
};

HWY_INLINE Pattern inspect(const Wave& wave, const std::uint32_t* HWY_RESTRICT offsets) {
  const std::uint32_t* HWY_RESTRICT active = wave.active_row;
  const std::uint32_t lanes = wave.padded & ~(row_lanes - 1);
  const std::uint32_t lead = wave.active.first();
  const std::uint32_t first = offsets[lead];
  const std::uint32_t step = wave.lanes > 1 ? offsets[1] - offsets[0] : 0;
  std::uint32_t highest = 0;
  std::uint32_t differences = 0;
  std::uint32_t uneven = 0;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint32_t offset = active[lane] != 0 ? offsets[lane] : first;
    highest = highest > offset ? highest : offset;
    differences |= offset ^ first;
    uneven |= (offsets[lane] - first - lane * step) & active[lane];
  }
  return {first, highest, step, differences == 0, uneven == 0 && wave.active == wave.full, wave.full.count()};
}

template <typename T>
HWY_INLINE T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T>
HWY_INLINE void fill_row(T* HWY_RESTRICT out, T value, std::size_t lanes) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    out[lane] = value;
  }
}

// N components side by side in memory, one lane after the other, to N rows and back.
template <typename T, std::size_t N>
HWY_INLINE void unzip(T* HWY_RESTRICT out, const std::byte* from, std::size_t lanes, std::size_t padded) {
  const T* HWY_RESTRICT in = reinterpret_cast<const T*>(from);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t component = 0; component < N; ++component) {
      out[component * padded + lane] = in[N * lane + component];
    }
  }
}
template <typename T, std::size_t N>
HWY_INLINE void zip(std::byte* to, const T* HWY_RESTRICT in, std::size_t lanes, std::size_t padded) {
  T* HWY_RESTRICT out = reinterpret_cast<T*>(to);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t component = 0; component < N; ++component) {
      out[N * lane + component] = in[component * padded + lane];
    }
  }
}

// Bytes from an offset to the end of the last component.
template <typename T>
HWY_INLINE std::uint64_t reach(const Operation& op) {
  return std::uint64_t{op.imm} + std::uint64_t{op.count - 1} * op.extra + sizeof(T);
}

template <typename T>
void load_constant(Wave& wave, const Operation& op) {
  const Root& root = wave.roots[op.aux];
  for (std::uint32_t component = 0; component < op.count; ++component) {
    const std::uint64_t offset = std::uint64_t{op.imm} + std::uint64_t{component} * op.extra;
    const T value = offset + sizeof(T) <= root.bytes ? read<T>(root.data + offset) : T{0};
    fill_row(wave.row<T>(op.dst) + std::size_t{component} * wave.padded, value, wave.padded);
  }
}

// Lane by lane, for addresses that may be outside.
template <typename T, AddressMode mode>
void load_each(Wave& wave, const Operation& op) {
  T* out = wave.row<T>(op.dst);
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    for (std::uint32_t component = 0; component < op.count; ++component) {
      const auto* place = locate<mode>(wave, op, lane, component * op.extra, sizeof(T));
      out[std::size_t{component} * wave.padded + lane] = place == nullptr ? T{0} : read<T>(place);
    }
  });
}

template <typename T>
void load_rooted(Wave& wave, const Operation& op) {
  if (op.a == no_register) {
    load_constant<T>(wave, op);
    return;
  }
  const std::uint32_t* HWY_RESTRICT offsets = wave.row<std::uint32_t>(op.a);
  const Root& root = wave.roots[op.aux];
  const Pattern pattern = inspect(wave, offsets);
  if (pattern.highest + reach<T>(op) > root.bytes) {
    load_each<T, AddressMode::rooted>(wave, op);
    return;
  }
  T* HWY_RESTRICT out = wave.row<T>(op.dst);
  const std::byte* base = root.data + op.imm;
  const std::byte* first = base + pattern.first;
  if (pattern.same) {
    for (std::uint32_t component = 0; component < op.count; ++component) {
      fill_row(out + std::size_t{component} * wave.padded, read<T>(first + std::size_t{component} * op.extra),
               wave.padded);
    }
    return;
  }
  if (pattern.even && pattern.step == op.count * sizeof(T) && (op.count == 1 || op.extra == sizeof(T))) {
    switch (op.count) {
      case 1:
        std::memcpy(out, first, pattern.lanes * sizeof(T));
        return;
      case 2:
        unzip<T, 2>(out, first, pattern.lanes, wave.padded);
        return;
      case 4:
        unzip<T, 4>(out, first, pattern.lanes, wave.padded);
        return;
      default:
        break;
    }
  }
  const std::uint32_t* HWY_RESTRICT active = wave.active_row;
  for (std::uint32_t component = 0; component < op.count; ++component) {
    T* HWY_RESTRICT row = out + std::size_t{component} * wave.padded;
    const std::byte* start = base + std::size_t{component} * op.extra;
    for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
      row[lane] = read<T>(start + (active[lane] != 0 ? offsets[lane] : pattern.first));
    }
  }
}

template <typename T, AddressMode mode>
void store_each(Wave& wave, const Operation& op) {
  const T* in = wave.row<T>(op.b);
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    for (std::uint32_t component = 0; component < op.count; ++component) {
      auto* place = locate<mode>(wave, op, lane, component * op.extra, sizeof(T));
      if (place != nullptr) {
        std::memcpy(place, &in[std::size_t{component} * wave.padded + lane], sizeof(T));
      }
    }
  });
}

template <typename T>
void store_rooted(Wave& wave, const Operation& op) {
  const Root& root = wave.roots[op.aux];
  if (op.a == no_register) {
    store_each<T, AddressMode::rooted>(wave, op);
    return;
  }
  const std::uint32_t* HWY_RESTRICT offsets = wave.row<std::uint32_t>(op.a);
  const Pattern pattern = inspect(wave, offsets);
  if (pattern.highest + reach<T>(op) > root.bytes) {
    store_each<T, AddressMode::rooted>(wave, op);
    return;
  }
  const T* HWY_RESTRICT in = wave.row<T>(op.b);
  std::byte* base = root.data + op.imm;
  if (pattern.even && pattern.step == op.count * sizeof(T) && (op.count == 1 || op.extra == sizeof(T))) {
    switch (op.count) {
      case 1:
        std::memcpy(base + pattern.first, in, pattern.lanes * sizeof(T));
        return;
      case 2:
        zip<T, 2>(base + pattern.first, in, pattern.lanes, wave.padded);
        return;
      case 4:
        zip<T, 4>(base + pattern.first, in, pattern.lanes, wave.padded);
        return;
      default:
        break;
    }
  }
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    for (std::uint32_t component = 0; component < op.count; ++component) {
      std::memcpy(base + offsets[lane] + std::size_t{component} * op.extra,
                  &in[std::size_t{component} * wave.padded + lane], sizeof(T));
    }
  });
}

// Most indices into arrays of a function are the same in all lanes: then whole rows move.
template <typename T, typename Slot>
const std::uint32_t* whole_row(const Wave& wave, const Operation& op, const std::uint32_t* leaves) {
  if (!std::is_same_v<T, Slot> || leaves == nullptr) {
    return nullptr;
  }
  const Pattern pattern = inspect(wave, leaves);
  const bool inside = pattern.first + op.imm + std::uint64_t{op.count - 1} * op.extra < op.aux;
  return pattern.same && inside ? &leaves[wave.active.first()] : nullptr;
}

template <typename T, typename Slot>
void load_private(Wave& wave, const Operation& op) {
  T* out = wave.row<T>(op.dst);
  const Slot* variable = wave.row<Slot>(op.b);
  const std::uint32_t* leaves = op.a == no_register ? nullptr : wave.row<std::uint32_t>(op.a);
  if (const auto* same = whole_row<T, Slot>(wave, op, leaves); same != nullptr) {
    for (std::uint32_t component = 0; component < op.count; ++component) {
      const std::size_t leaf = std::size_t{*same} + op.imm + std::size_t{component} * op.extra;
      std::memcpy(out + std::size_t{component} * wave.padded, variable + leaf * wave.padded, wave.padded * sizeof(T));
    }
    return;
  }
  for (std::uint32_t component = 0; component < op.count; ++component) {
    for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
      const std::uint64_t leaf =
          std::uint64_t{leaves == nullptr ? 0 : leaves[lane]} + op.imm + std::uint64_t{component} * op.extra;
      const T value = leaf < op.aux ? static_cast<T>(variable[leaf * wave.padded + lane]) : T{0};
      out[std::size_t{component} * wave.padded + lane] = value;
    }
  }
}

template <typename T, typename Slot>
void store_private(Wave& wave, const Operation& op) {
  const T* in = wave.row<T>(op.c);
  Slot* variable = wave.row<Slot>(op.b);
  const std::uint32_t* leaves = op.a == no_register ? nullptr : wave.row<std::uint32_t>(op.a);
  if (const auto* same = whole_row<T, Slot>(wave, op, leaves); same != nullptr) {
    const std::uint32_t* HWY_RESTRICT active = wave.active_row;
    const std::size_t lanes = wave.padded & ~std::size_t{row_lanes - 1};
    for (std::uint32_t component = 0; component < op.count; ++component) {
      const T* HWY_RESTRICT from = in + std::size_t{component} * lanes;
      Slot* HWY_RESTRICT to = variable + (std::size_t{*same} + op.imm + std::size_t{component} * op.extra) * lanes;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        to[lane] = active[lane] != 0 ? from[lane] : to[lane];
      }
    }
    return;
  }
  for (std::uint32_t component = 0; component < op.count; ++component) {
    for_each_lane(wave.active, [&](std::uint32_t lane) {
      const std::uint64_t leaf =
          std::uint64_t{leaves == nullptr ? 0 : leaves[lane]} + op.imm + std::uint64_t{component} * op.extra;
      if (leaf < op.aux) {
        variable[leaf * wave.padded + lane] = in[std::size_t{component} * wave.padded + lane];
      }
    });
  }
}

void offset(Wave& wave, const Operation& op) {
  std::uint32_t* HWY_RESTRICT out = wave.row<std::uint32_t>(op.dst);
  const std::uint32_t* HWY_RESTRICT b = wave.row<std::uint32_t>(op.b);
  const std::size_t lanes = wave.padded & ~std::size_t{row_lanes - 1};
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t stride = op.extra;
  if (op.a == no_register) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::uint64_t sum = b[lane] * stride;
      out[lane] = static_cast<std::uint32_t>(sum < most ? sum : most);
    }
    return;
  }
  const std::uint32_t* HWY_RESTRICT a = wave.row<std::uint32_t>(op.a);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t sum = a[lane] + b[lane] * stride;
    out[lane] = static_cast<std::uint32_t>(sum < most ? sum : most);
  }
}

template <bool fat>
void pointer_offset(Wave& wave, const Operation& op) {
  std::uint64_t* HWY_RESTRICT out = wave.row<std::uint64_t>(op.dst);
  const std::uint64_t* HWY_RESTRICT a = wave.row<std::uint64_t>(op.a);
  const std::int32_t* HWY_RESTRICT b = wave.row<std::int32_t>(op.b);
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
    if constexpr (fat) {
      const auto moved = static_cast<std::int64_t>(a[lane] & most) + std::int64_t{b[lane]} * op.extra;
      const std::uint64_t low =
          moved < 0 || static_cast<std::uint64_t>(moved) > most ? most : static_cast<std::uint64_t>(moved);
      out[lane] = (a[lane] & ~most) | low;
    } else {
      out[lane] = a[lane] + static_cast<std::uint64_t>(std::int64_t{b[lane]} * op.extra);
    }
  }
}

template <template <typename> typename Pick>
Handler by_bytes(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return Pick<std::uint8_t>::handler;
    case 2:
      return Pick<std::uint16_t>::handler;
    case 4:
      return Pick<std::uint32_t>::handler;
    default:
      return Pick<std::uint64_t>::handler;
  }
}
template <typename T>
struct LoadRooted {
  static constexpr Handler handler = &load_rooted<T>;
};
template <typename T>
struct LoadFat {
  static constexpr Handler handler = &load_each<T, AddressMode::fat>;
};
template <typename T>
struct LoadPhysical {
  static constexpr Handler handler = &load_each<T, AddressMode::physical>;
};
template <typename T>
struct StoreRooted {
  static constexpr Handler handler = &store_rooted<T>;
};
template <typename T>
struct StoreFat {
  static constexpr Handler handler = &store_each<T, AddressMode::fat>;
};
template <typename T>
struct StorePhysical {
  static constexpr Handler handler = &store_each<T, AddressMode::physical>;
};
template <typename T>
struct LoadPrivate {
  static constexpr Handler handler = &load_private<T, T>;
};
template <typename T>
struct LoadPrivateWide {
  static constexpr Handler handler = &load_private<T, std::uint64_t>;
};
template <typename T>
struct StorePrivate {
  static constexpr Handler handler = &store_private<T, T>;
};
template <typename T>
struct StorePrivateWide {
  static constexpr Handler handler = &store_private<T, std::uint64_t>;
};

}  // namespace

Handler find_load(AddressMode mode, std::uint32_t bytes) {
  switch (mode) {
    case AddressMode::rooted:
      return by_bytes<LoadRooted>(bytes);
    case AddressMode::fat:
      return by_bytes<LoadFat>(bytes);
    default:
      return by_bytes<LoadPhysical>(bytes);
  }
}

Handler find_store(AddressMode mode, std::uint32_t bytes) {
  switch (mode) {
    case AddressMode::rooted:
      return by_bytes<StoreRooted>(bytes);
    case AddressMode::fat:
      return by_bytes<StoreFat>(bytes);
    default:
      return by_bytes<StorePhysical>(bytes);
  }
}

Handler find_private_load(std::uint32_t bytes, std::uint32_t slot) {
  return bytes == slot ? by_bytes<LoadPrivate>(bytes) : by_bytes<LoadPrivateWide>(bytes);
}

Handler find_private_store(std::uint32_t bytes, std::uint32_t slot) {
  return bytes == slot ? by_bytes<StorePrivate>(bytes) : by_bytes<StorePrivateWide>(bytes);
}

Handler find_offset() { return &offset; }

Handler find_pointer_offset(AddressMode mode) {
  return mode == AddressMode::fat ? &pointer_offset<true> : &pointer_offset<false>;
}

}  // namespace crosslane::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::machine {

HWY_EXPORT(find_load);
HWY_EXPORT(find_store);
HWY_EXPORT(find_private_load);
HWY_EXPORT(find_private_store);
HWY_EXPORT(find_offset);
HWY_EXPORT(find_pointer_offset);

Handler load_handler(AddressMode mode, std::uint32_t bytes) { return HWY_DYNAMIC_DISPATCH(find_load)(mode, bytes); }
Handler store_handler(AddressMode mode, std::uint32_t bytes) { return HWY_DYNAMIC_DISPATCH(find_store)(mode, bytes); }
Handler load_private_handler(std::uint32_t bytes, std::uint32_t slot) {
  return HWY_DYNAMIC_DISPATCH(find_private_load)(bytes, slot);
}
Handler store_private_handler(std::uint32_t bytes, std::uint32_t slot) {
  return HWY_DYNAMIC_DISPATCH(find_private_store)(bytes, slot);
}
Handler offset_handler() { return HWY_DYNAMIC_DISPATCH(find_offset)(); }
Handler pointer_offset_handler(AddressMode mode) { return HWY_DYNAMIC_DISPATCH(find_pointer_offset)(mode); }

}  // namespace crosslane::machine
#endif
