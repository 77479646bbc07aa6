// HLSL's own reductions and prefix operations of every type against a loop over the active lanes.
#include <fmt/format.h>
#include <algorithm>
#include <string>

#include "verify/checks.hpp"

namespace crosslane::conformance {
namespace {

/// Integers as lanes hold them: `value` in the type's own range, whatever its sign.
bool less(const ElementType& type, std::int64_t a, std::int64_t b) {
  return type.kind == ElementKind::unsigned_integer ? static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b)
                                                    : a < b;
}

/// HLSL has WaveActiveBitAnd and its like for unsigned integers of 32 and 64 bits.
bool has_bit_operations(const ElementType& type) {
  return type.kind == ElementKind::unsigned_integer && type.bits >= 32;
}

/// Results of one wave so far, as integers modulo 2^64; floats hold integers that every order of operations keeps
/// exact.
struct Totals {
  std::uint64_t sum = 0;
  std::uint64_t product = 1;
  std::uint64_t bit_and = ~std::uint64_t{0};
  std::uint64_t bit_or = 0;
  std::uint64_t bit_xor = 0;
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;
  bool any = false;

  void add(const ElementType& type, std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    sum += bits;
    product *= bits;
    bit_and &= bits;
    bit_or |= bits;
    bit_xor ^= bits;
    minimum = !any || less(type, value, minimum) ? value : minimum;
    maximum = !any || less(type, maximum, value) ? value : maximum;
    any = true;
  }
};

enum class Values : std::uint8_t {
  general,  ///< integers of all sizes; floats from -8 to 8, whose sums are exact
  factors,  ///< 1, -1 and a few 2: float products are exact too
};

std::int64_t make_value(const ElementType& type, Values values, std::uint32_t thread) {
  const std::uint64_t random = hash(thread + 1000);
  if (values == Values::factors) {
    if (thread % 16 == 5) {
      return 2;
    }
    return type.kind != ElementKind::unsigned_integer && random % 2 == 0 ? -1 : 1;
  }
  switch (type.kind) {
    case ElementKind::floating:
      return static_cast<std::int64_t>(random % 17) - 8;
    case ElementKind::signed_integer:  // shifted down with the sign
      return static_cast<std::int64_t>(random) >> (64U - type.bits);
    default:
      return static_cast<std::int64_t>(random & type.mask());
  }
}

class ReduceCheck {
 public:
  ReduceCheck(const Session& session, const ElementType& type, Values values, const Situation& situation,
              const Inputs& inputs, const Recording& recording)
      : session_(session),
        type_(type),
        values_(values),
        situation_(situation),
        inputs_(inputs),
        recording_(recording) {}

  void check(const Wave& wave) const {
    const Lanes active = wave.callers(inputs_.callers);
    const bool exact_products = type_.kind != ElementKind::floating || values_ == Values::factors;
    Totals all;
    for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
      if (active[lane]) {
        all.add(type_, make_value(type_, values_, *wave.threads[lane]));
      }
    }
    Totals before;
    for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
      if (!active[lane]) {
        continue;
      }
      check_result(wave, lane, "active-sum", 0, all.sum);
      check_result(wave, lane, "active-min", 1, static_cast<std::uint64_t>(all.minimum));
      check_result(wave, lane, "active-max", 2, static_cast<std::uint64_t>(all.maximum));
      check_result(wave, lane, "prefix-sum", 4, before.sum);
      if (exact_products) {
        check_result(wave, lane, "active-product", 3, all.product);
        check_result(wave, lane, "prefix-product", 5, before.product);
      }
      if (has_bit_operations(type_)) {
        check_result(wave, lane, "active-bit-and", 6, all.bit_and);
        check_result(wave, lane, "active-bit-or", 7, all.bit_or);
        check_result(wave, lane, "active-bit-xor", 8, all.bit_xor);
      }
      before.add(type_, make_value(type_, values_, *wave.threads[lane]));
    }
  }

 private:
  void check_result(const Wave& wave, std::uint32_t lane, std::string_view promise, std::uint32_t own_slot,
                    std::uint64_t expected) const {
    std::uint64_t got = recording_.at(slot::own + own_slot, *wave.threads[lane]);
    const std::uint64_t minus_zero = std::uint64_t{1} << (type_.bits - 1);
    if (type_.kind == ElementKind::floating && got == minus_zero) {
      got = 0;  // the identity of a float sum may be either zero
    }
    compare(session_, {.promise = promise,
                       .type = type_.name,
                       .situation = situation_.text,
                       .wave = wave.number,
                       .lane = lane,
                       .expected = encode(type_, static_cast<std::int64_t>(expected)),
                       .got = got});
  }

  const Session& session_;
  const ElementType& type_;
  Values values_;
  const Situation& situation_;
  const Inputs& inputs_;
  const Recording& recording_;
};

void check_type(const Session& session, const ElementType& type, Values values, const Situation& situation) {
  std::vector<std::string_view> promises = {"active-sum", "active-min",     "active-max",
                                            "prefix-sum", "active-product", "prefix-product"};
  if (has_bit_operations(type)) {
    promises.insert(promises.end(), {"active-bit-and", "active-bit-or", "active-bit-xor"});
  }
  Inputs inputs = make_inputs(situation);
  for (std::uint32_t thread = 0; thread < inputs.threads(); ++thread) {
    inputs.values[thread] = encode(type, make_value(type, values, thread));
  }
  const auto recording =
      run_situation(session, fmt::format("verify.reduce.{}", type.name), situation, inputs, slot::own + 9, promises);
  if (!recording) {
    return;
  }
  const ReduceCheck check(session, type, values, situation, inputs, *recording);
  for (const Wave& wave : find_waves(*recording)) {
    check.check(wave);
  }
}

}  // namespace

void check_reductions(const Session& session) {
  if (!session.info.features.wave_arithmetic) {
    return;
  }
  for (const ElementType& type : all_element_types) {
    if (has_type(session.info.features, type)) {
      for (const Situation& situation : all_situations) {
        check_type(session, type, Values::general, situation);
        check_type(session, type, Values::factors, situation);
      }
    }
  }
}

}  // namespace crosslane::conformance
