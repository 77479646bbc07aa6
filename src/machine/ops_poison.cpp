// Definedness of what is computed lane by lane.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "machine/poison-inl.hpp"

namespace crosslane::machine {
namespace {

// False where all operands are defined; so is the result then.
bool join_operands(Wave& wave, const Operation& op) {
  if (!has_origins(wave, op.a) && !has_origins(wave, op.b) && !has_origins(wave, op.c) && !has_origins(wave, op.d)) {
    clear_origins(wave, op.dst);
    return false;
  }
  const Origin* a = origins(wave, op.a);
  const Origin* b = origins(wave, op.b);
  const Origin* c = origins(wave, op.c);
  const Origin* d = origins(wave, op.d);
  Origin* out = make_origins(wave, op.dst);
  for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
    const Origin ab = a[lane] != 0 ? a[lane] : b[lane];
    const Origin cd = c[lane] != 0 ? c[lane] : d[lane];
    out[lane] = ab != 0 ? ab : cd;
  }
  return true;
}

void any(Wave& wave, const Operation& op) {
  if (wave.poisoned) {
    join_operands(wave, op);
  }
}

// An operand that is `absorbing` makes the result, whatever the other one is.
template <typename T, bool ones>
void absorb(Wave& wave, const Operation& op) {
  if (!wave.poisoned || !join_operands(wave, op)) {
    return;
  }
  constexpr T absorbing = ones ? static_cast<T>(~T{0}) : T{0};
  Origin* out = make_origins(wave, op.dst);
  for (const auto operand : {op.a, op.b}) {
    const T* values = wave.row<T>(operand);
    const Origin* row = origins(wave, operand);
    for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
      out[lane] = row[lane] == 0 && values[lane] == absorbing ? 0 : out[lane];
    }
  }
}

// Of booleans 1 is all there is to "all ones".
void absorb_true(Wave& wave, const Operation& op) {
  if (!wave.poisoned || !join_operands(wave, op)) {
    return;
  }
  Origin* out = make_origins(wave, op.dst);
  for (const auto operand : {op.a, op.b}) {
    const Origin* row = origins(wave, operand);
    for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
      if (row[lane] == 0 && wave.row<std::uint32_t>(operand)[lane] != 0) {
        out[lane] = 0;
      }
    }
  }
}

void select(Wave& wave, const Operation& op) {
  if (!wave.poisoned) {
    return;
  }
  if (!has_origins(wave, op.a) && !has_origins(wave, op.b) && !has_origins(wave, op.c)) {
    clear_origins(wave, op.dst);
    return;
  }
  const Origin* condition = origins(wave, op.a);
  const std::uint32_t* choice = wave.row<std::uint32_t>(op.a);
  const Origin* b = origins(wave, op.b);
  const Origin* c = origins(wave, op.c);
  Origin* out = make_origins(wave, op.dst);
  for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
    const Origin chosen = choice[lane] != 0 ? b[lane] : c[lane];
    out[lane] = condition[lane] != 0 ? condition[lane] : chosen;
  }
}

// Active lanes whose operands are defined and at fault. `fault(lane)` tells; most often none is, which a loop over all
// lanes sees at once. Gives whether one is.
template <typename Fault, typename Detail>
bool check(Wave& wave, const Operation& op, Cause cause, Fault fault, Detail detail) {
  const bool undefined = wave.poisoned && join_operands(wave, op);
  std::uint32_t any_fault = 0;
  for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
    any_fault |= static_cast<std::uint32_t>(fault(lane)) & wave.active_row[lane];
  }
  if (any_fault == 0) {
    return false;
  }
  Mask lanes;
  std::array<std::uint32_t, largest_wave> details;
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    if (fault(lane) && (!undefined || origins(wave, op.dst)[lane] == 0)) {
      add_lane(lanes, lane);
      details[lane] = detail(lane);
    }
  });
  become_undefined(wave, op, cause, lanes, details, op.dst);
  return true;
}

template <typename T>
void shift(Wave& wave, const Operation& op) {
  const T* amounts = wave.row<T>(op.b);
  check(
      wave, op, Cause::shift_amount, [&](std::uint32_t lane) { return amounts[lane] >= 8 * sizeof(T); },
      [&](std::uint32_t lane) { return static_cast<std::uint32_t>(amounts[lane]); });
}

template <typename T>
void divide(Wave& wave, const Operation& op) {
  const T* numerators = wave.row<T>(op.a);
  const T* divisors = wave.row<T>(op.b);
  constexpr bool has_sign = std::is_signed_v<T>;
  const auto cause = has_sign ? Cause::division_signed : Cause::division_unsigned;
  check(
      wave, op, cause,
      [&](std::uint32_t lane) {
        const bool too_large =
            has_sign && divisors[lane] == static_cast<T>(-1) && numerators[lane] == std::numeric_limits<T>::min();
        return divisors[lane] == 0 || too_large;
      },
      [&](std::uint32_t lane) { return static_cast<std::uint32_t>(static_cast<std::int64_t>(divisors[lane])); });
}

// Vulkan leaves the remainder of negative numbers open, and that by them, unless maintenance8 is enabled.
template <typename T>
void remainder(Wave& wave, const Operation& op) {
  const T* numerators = wave.row<T>(op.a);
  const T* divisors = wave.row<T>(op.b);
  const bool by_zero = check(
      wave, op, Cause::division_signed, [&](std::uint32_t lane) { return divisors[lane] == 0; },
      [](std::uint32_t) { return 0U; });
  if (by_zero) {
    return;
  }
  check(
      wave, op, Cause::remainder_of_negative,
      [&](std::uint32_t lane) { return numerators[lane] < 0 || divisors[lane] < 0; },
      [&](std::uint32_t lane) {
        const T negative = numerators[lane] < 0 ? numerators[lane] : divisors[lane];
        return static_cast<std::uint32_t>(static_cast<std::int64_t>(negative));
      });
}

template <typename F, bool has_sign>
void convert(Wave& wave, const Operation& op) {
  const F* values = wave.row<F>(op.a);
  // The float is cut to a whole number first; NaN fits nothing.
  const double above = std::ldexp(1.0, static_cast<int>(8 * op.imm) - (has_sign ? 1 : 0));
  const double below = has_sign ? -above - 1.0 : -1.0;
  check(
      wave, op, Cause::conversion,
      [&](std::uint32_t lane) {
        const auto value = static_cast<double>(values[lane]);
        return !(value > below && value < above) && !(has_sign && value == -above);
      },
      [](std::uint32_t) { return 0U; });
}

void index(Wave& wave, const Operation& op) {
  const std::uint32_t* indices = wave.row<std::uint32_t>(op.b);
  check(
      wave, op, Cause::outside_of_array, [&](std::uint32_t lane) { return indices[lane] >= op.imm; },
      [&](std::uint32_t lane) { return indices[lane]; });
}

void copy(Wave& wave, const Operation& op) {
  if (!wave.poisoned) {
    return;
  }
  const auto* from = wave.poisoned_rows + op.a / smallest_row_bytes;
  const auto rows = op.count / smallest_row_bytes;
  std::copy_n(from, rows, wave.poisoned_rows + op.dst / smallest_row_bytes);
  if (std::any_of(from, from + rows, [](std::uint8_t poisoned) { return poisoned != 0; })) {
    std::copy_n(wave.poison + op.a, op.count, wave.poison + op.dst);
  }
}

void masked_copy(Wave& wave, const Operation& op) {
  if (!wave.poisoned) {
    return;
  }
  for (std::uint32_t row = 0; row < op.count; ++row) {
    const auto from = row_at(wave, op.a, row, op.imm);
    const auto to = row_at(wave, op.dst, row, op.imm);
    if (!has_origins(wave, from) && (wave.active == wave.full || !has_origins(wave, to))) {
      clear_origins(wave, to);
      continue;
    }
    const Origin* in = origins(wave, from);
    Origin* out = make_origins(wave, to);
    for_each_lane(wave.active, [&](std::uint32_t lane) { out[lane] = in[lane]; });
  }
}

void fill(Wave& wave, const Operation& op) {
  const auto cause = static_cast<Cause>(op.aux);
  const bool undefined = cause != Cause::none &&
                         wave.observer->on_undefined(wave, source_of(wave, op), {cause, wave.active, {}, no_register});
  if (!undefined && !wave.poisoned) {
    return;
  }
  for (std::uint32_t row = 0; row < op.count; ++row) {
    const auto to = row_at(wave, op.dst, row, op.imm);
    if (undefined) {
      std::fill_n(make_origins(wave, to), wave.padded, make_origin(cause, op.source));
    } else {
      clear_origins(wave, to);
    }
  }
}

void join(Wave& wave, const Operation& op) {
  if (!wave.poisoned) {
    return;
  }
  bool undefined = has_origins(wave, op.b);
  OriginRow joined{};
  std::copy_n(origins(wave, op.b), wave.padded, joined.data());
  for (std::uint32_t row = 0; row < op.count; ++row) {
    const auto from = row_at(wave, op.a, row, op.extra);
    if (has_origins(wave, from)) {
      undefined = true;
      const Origin* in = origins(wave, from);
      for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
        joined[lane] = joined[lane] != 0 ? joined[lane] : in[lane];
      }
    }
  }
  for (std::uint32_t row = 0; row < op.aux; ++row) {
    const auto to = row_at(wave, op.dst, row, op.imm);
    if (undefined) {
      std::copy_n(joined.data(), wave.padded, make_origins(wave, to));
    } else {
      clear_origins(wave, to);
    }
  }
}

template <Use use>
void used(Wave& wave, const Operation& op) {
  if (!wave.poisoned) {
    return;
  }
  for (std::uint32_t row = 0; row < op.count; ++row) {
    const auto from = row_at(wave, op.a, row, op.imm);
    if (has_origins(wave, from)) {
      const Origin* in = origins(wave, from);
      report_use(wave, op, use, undefined_lanes(wave, in), {in, wave.lanes});
    }
  }
}

template <bool ones>
Handler absorb_handler(Element element) {
  if (ones && element == Element::boolean) {
    return &absorb_true;
  }
  switch (bytes_of(element)) {
    case 1:
      return &absorb<std::uint8_t, ones>;
    case 2:
      return &absorb<std::uint16_t, ones>;
    case 4:
      return &absorb<std::uint32_t, ones>;
    default:
      return &absorb<std::uint64_t, ones>;
  }
}

Handler shift_handler(Element element) {
  switch (bytes_of(element)) {
    case 1:
      return &shift<std::uint8_t>;
    case 2:
      return &shift<std::uint16_t>;
    case 4:
      return &shift<std::uint32_t>;
    default:
      return &shift<std::uint64_t>;
  }
}

template <bool has_sign>
Handler divide_handler(Element element) {
  switch (bytes_of(element)) {
    case 1:
      return &divide<std::conditional_t<has_sign, std::int8_t, std::uint8_t>>;
    case 2:
      return &divide<std::conditional_t<has_sign, std::int16_t, std::uint16_t>>;
    case 4:
      return &divide<std::conditional_t<has_sign, std::int32_t, std::uint32_t>>;
    default:
      return &divide<std::conditional_t<has_sign, std::int64_t, std::uint64_t>>;
  }
}

Handler remainder_handler(Element element) {
  switch (bytes_of(element)) {
    case 1:
      return &remainder<std::int8_t>;
    case 2:
      return &remainder<std::int16_t>;
    case 4:
      return &remainder<std::int32_t>;
    default:
      return &remainder<std::int64_t>;
  }
}

// 16-bit floats have no type here; what they hold fits most integers.
template <bool has_sign>
Handler conversion_handler(Element element) {
  switch (element) {
    case Element::float32:
      return &convert<float, has_sign>;
    case Element::float64:
      return &convert<double, has_sign>;
    default:
      return &any;
  }
}

}  // namespace

Handler poison_handler(const PoisonRule& rule) {
  switch (rule.kind) {
    case PoisonKind::any:
      return &any;
    case PoisonKind::zero_absorbs:
      return absorb_handler<false>(rule.element);
    case PoisonKind::ones_absorb:
      return absorb_handler<true>(rule.element);
    case PoisonKind::select:
      return &select;
    case PoisonKind::shift:
      return shift_handler(rule.element);
    case PoisonKind::divide_unsigned:
      return divide_handler<false>(rule.element);
    case PoisonKind::divide_signed:
      return divide_handler<true>(rule.element);
    case PoisonKind::remainder_signed:
      return remainder_handler(rule.element);
    case PoisonKind::to_unsigned:
      return conversion_handler<false>(rule.element);
    case PoisonKind::to_signed:
      return conversion_handler<true>(rule.element);
  }
  return &any;
}

Handler poison_index_handler() { return &index; }
Handler poison_copy_handler() { return &copy; }
Handler poison_masked_copy_handler() { return &masked_copy; }
Handler poison_fill_handler() { return &fill; }
Handler poison_join_handler() { return &join; }

Handler poison_use_handler(Use use) {
  switch (use) {
    case Use::store:
      return &used<Use::store>;
    case Use::branch:
      return &used<Use::branch>;
    case Use::address:
      return &used<Use::address>;
    default:
      return &used<Use::atomic>;
  }
}

}  // namespace crosslane::machine
