// Atomics, lane by lane in rising order. Groupshared memory belongs to one host thread, so plain accesses do there.
#include <atomic>
#include <cstring>
#include <type_traits>

#include "machine/address.hpp"
#include "machine/memory.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

template <typename T>
using Signed = std::make_signed_t<T>;

// The new value from the old one and the operand; T is an unsigned integer, or a float.
template <Op opcode, typename T>
T combine(T old, T operand) {
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (opcode == Op::OpAtomicFAddEXT) {
      return old + operand;
    } else if constexpr (opcode == Op::OpAtomicFMinEXT) {
      return operand < old || old != old ? operand : old;
    } else if constexpr (opcode == Op::OpAtomicFMaxEXT) {
      return operand > old || old != old ? operand : old;
    }
  } else if constexpr (opcode == Op::OpAtomicIAdd) {
    return static_cast<T>(old + operand);
  } else if constexpr (opcode == Op::OpAtomicISub) {
    return static_cast<T>(old - operand);
  } else if constexpr (opcode == Op::OpAtomicIIncrement) {
    return static_cast<T>(old + 1U);
  } else if constexpr (opcode == Op::OpAtomicIDecrement) {
    return static_cast<T>(old - 1U);
  } else if constexpr (opcode == Op::OpAtomicUMin) {
    return operand < old ? operand : old;
  } else if constexpr (opcode == Op::OpAtomicUMax) {
    return operand > old ? operand : old;
  } else if constexpr (opcode == Op::OpAtomicSMin) {
    return static_cast<Signed<T>>(operand) < static_cast<Signed<T>>(old) ? operand : old;
  } else if constexpr (opcode == Op::OpAtomicSMax) {
    return static_cast<Signed<T>>(operand) > static_cast<Signed<T>>(old) ? operand : old;
  } else if constexpr (opcode == Op::OpAtomicAnd) {
    return old & operand;
  } else if constexpr (opcode == Op::OpAtomicOr) {
    return old | operand;
  } else if constexpr (opcode == Op::OpAtomicXor) {
    return old ^ operand;
  } else if constexpr (opcode == Op::OpAtomicLoad) {
    return old;
  } else {
    return operand;  // store, exchange
  }
}

// Changes what is at `place` by `change` and returns what was there.
template <typename T, bool groupshared, typename Change>
T modify(T& place, Change change) {
  if constexpr (groupshared) {
    const T old = place;
    place = change(old);
    return old;
  } else {
    const std::atomic_ref<T> atomic(place);
    T old = atomic.load();
    while (!atomic.compare_exchange_weak(old, change(old))) {
    }
    return old;
  }
}

template <Op opcode, typename T, bool groupshared>
T apply(T& place, T operand, T comparator) {
  if constexpr (opcode == Op::OpAtomicCompareExchange) {
    return modify<T, groupshared>(place, [&](T old) { return old == comparator ? operand : old; });
  } else if constexpr (!groupshared && opcode == Op::OpAtomicLoad) {
    return std::atomic_ref<T>(place).load();
  } else if constexpr (!groupshared && opcode == Op::OpAtomicIAdd) {
    return std::atomic_ref<T>(place).fetch_add(operand);
  } else if constexpr (!groupshared && opcode == Op::OpAtomicIIncrement) {
    return std::atomic_ref<T>(place).fetch_add(1);
  } else {
    return modify<T, groupshared>(place, [&](T old) { return combine<opcode>(old, operand); });
  }
}

template <Op opcode, typename T, AddressMode mode, bool groupshared>
void atomic(Wave& wave, const Operation& op) {
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    auto* place = locate<mode>(wave, op, lane, 0, sizeof(T));
    const bool usable = place != nullptr && reinterpret_cast<std::uintptr_t>(place) % sizeof(T) == 0;
    const T operand = op.b == no_register ? T{} : wave.row<T>(op.b)[lane];
    const T comparator = op.c == no_register ? T{} : wave.row<T>(op.c)[lane];
    const T old = usable ? apply<opcode, T, groupshared>(*reinterpret_cast<T*>(place), operand, comparator) : T{};
    if (op.dst != no_register) {
      wave.row<T>(op.dst)[lane] = old;
    }
  });
}

template <Op opcode, typename T>
Handler by_address(AddressMode mode, bool groupshared) {
  switch (mode) {
    case AddressMode::rooted:
      return groupshared ? &atomic<opcode, T, AddressMode::rooted, true>
                         : &atomic<opcode, T, AddressMode::rooted, false>;
    case AddressMode::fat:
      return groupshared ? &atomic<opcode, T, AddressMode::fat, true> : &atomic<opcode, T, AddressMode::fat, false>;
    default:
      return &atomic<opcode, T, AddressMode::physical, false>;
  }
}

template <Op opcode>
Handler of_integers(Element element, AddressMode mode, bool groupshared) {
  return bytes_of(element) == 8 ? by_address<opcode, std::uint64_t>(mode, groupshared)
                                : by_address<opcode, std::uint32_t>(mode, groupshared);
}

template <Op opcode>
Handler of_floats(Element element, AddressMode mode, bool groupshared) {
  switch (element) {
    case Element::float32:
      return by_address<opcode, float>(mode, groupshared);
    case Element::float64:
      return by_address<opcode, double>(mode, groupshared);
    default:
      return nullptr;
  }
}

}  // namespace

Handler atomic_handler(Op opcode, Element element, AddressMode mode, bool groupshared) {
  if (bytes_of(element) < 4) {
    return nullptr;
  }
  switch (opcode) {
    case Op::OpAtomicLoad:
      return of_integers<Op::OpAtomicLoad>(element, mode, groupshared);
    case Op::OpAtomicStore:
    case Op::OpAtomicExchange:
      return of_integers<Op::OpAtomicExchange>(element, mode, groupshared);
    case Op::OpAtomicCompareExchange:
      return of_integers<Op::OpAtomicCompareExchange>(element, mode, groupshared);
    case Op::OpAtomicIIncrement:
      return of_integers<Op::OpAtomicIIncrement>(element, mode, groupshared);
    case Op::OpAtomicIDecrement:
      return of_integers<Op::OpAtomicIDecrement>(element, mode, groupshared);
    case Op::OpAtomicIAdd:
      return of_integers<Op::OpAtomicIAdd>(element, mode, groupshared);
    case Op::OpAtomicISub:
      return of_integers<Op::OpAtomicISub>(element, mode, groupshared);
    case Op::OpAtomicSMin:
      return of_integers<Op::OpAtomicSMin>(element, mode, groupshared);
    case Op::OpAtomicUMin:
      return of_integers<Op::OpAtomicUMin>(element, mode, groupshared);
    case Op::OpAtomicSMax:
      return of_integers<Op::OpAtomicSMax>(element, mode, groupshared);
    case Op::OpAtomicUMax:
      return of_integers<Op::OpAtomicUMax>(element, mode, groupshared);
    case Op::OpAtomicAnd:
      return of_integers<Op::OpAtomicAnd>(element, mode, groupshared);
    case Op::OpAtomicOr:
      return of_integers<Op::OpAtomicOr>(element, mode, groupshared);
    case Op::OpAtomicXor:
      return of_integers<Op::OpAtomicXor>(element, mode, groupshared);
    case Op::OpAtomicFAddEXT:
      return of_floats<Op::OpAtomicFAddEXT>(element, mode, groupshared);
    case Op::OpAtomicFMinEXT:
      return of_floats<Op::OpAtomicFMinEXT>(element, mode, groupshared);
    case Op::OpAtomicFMaxEXT:
      return of_floats<Op::OpAtomicFMaxEXT>(element, mode, groupshared);
    default:
      return nullptr;
  }
}

}  // namespace crosslane::machine
