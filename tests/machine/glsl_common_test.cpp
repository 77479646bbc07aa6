// GLSL.std.450: integers, rounding, minimum and maximum, mixing, square roots, and numbers taken apart.
#include <bit>

#include <gtest/gtest.h>

#include "machine/glsl_forms.hpp"

namespace crosslane::test {
namespace {

template <typename T>
bool is_nan(T value) {
  return std::isnan(real(value));
}

template <typename T, typename F>
void check_unary(const std::string& name, F oracle) {
  check_drawn<T, T>(glsl(name, 1), [&](T a) { return computed<T>(oracle, a); });
}

template <typename T>
void check_rounding() {
  check_unary<T>("RoundEven", [](auto a) { return std::nearbyint(a); });
  check_unary<T>("Round", [](auto a) { return std::nearbyint(a); });  // which way halves go is ours to choose
  check_unary<T>("Trunc", [](auto a) { return std::trunc(a); });
  check_unary<T>("Floor", [](auto a) { return std::floor(a); });
  check_unary<T>("Ceil", [](auto a) { return std::ceil(a); });
  check_unary<T>("Fract", [](auto a) { return a - std::floor(a); });
  check_unary<T>("FAbs", [](auto a) { return std::fabs(a); });
  check_drawn<T, T>(glsl("FSign", 1), [](T a) {
    return is_nan(a) ? anything : Near{real(a) > 0 ? 1.0L : real(a) < 0 ? -1.0L : 0.0L};
  });
}

// Which of the operands comes out is open where one is NaN, or where they are zeros of different signs.
template <typename T>
void check_choices() {
  const auto minimum = [](long double a, long double b) { return b < a ? b : a; };
  const auto maximum = [](long double a, long double b) { return a < b ? b : a; };
  check_drawn<T, T, T>(glsl("FMin", 2),
                       [&](T a, T b) { return is_nan(a) || is_nan(b) ? anything : Near{minimum(real(a), real(b))}; });
  check_drawn<T, T, T>(glsl("FMax", 2),
                       [&](T a, T b) { return is_nan(a) || is_nan(b) ? anything : Near{maximum(real(a), real(b))}; });
  check_drawn<T, T, T, T>(glsl("FClamp", 3), [&](T a, T low, T high) {
    const bool open = is_nan(a) || is_nan(low) || is_nan(high) || real(low) > real(high);
    return open ? anything : Near{minimum(maximum(real(a), real(low)), real(high))};
  });
  check_drawn<T, T, T>(glsl("NMin", 2), [](T a, T b) { return Near{std::fmin(real(a), real(b))}; });
  check_drawn<T, T, T>(glsl("NMax", 2), [](T a, T b) { return Near{std::fmax(real(a), real(b))}; });
  check_drawn<T, T, T, T>(glsl("NClamp", 3), [](T a, T low, T high) {
    return real(low) > real(high) ? anything : Near{std::fmin(std::fmax(real(a), real(low)), real(high))};
  });
  check_drawn<T, T, T>(glsl("Step", 2), [](T edge, T a) {
    return is_nan(a) || is_nan(edge) ? anything : Near{real(a) < real(edge) ? 0.0L : 1.0L};
  });
}

template <typename T>
void check_roots() {
  check_unary<T>("Sqrt", [](auto a) { return std::sqrt(a); });
  check_drawn<T, T>(glsl("InverseSqrt", 1), [](T a) { return within<T>(1 / std::sqrt(real(a)), 2); });
  check_drawn<T, T, T, T>(glsl("Fma", 3), [](T a, T b, T c) {
    if constexpr (std::is_same_v<T, Half>) {
      return rounded<Half>(real(a) * real(b) + real(c));
    } else {
      return std::fma(a, b, c);
    }
  });
}

// Errors of a few roundings at the operands' size.
template <typename T>
void check_mixing() {
  Draw draw(21);
  const Operands<T> a{draw.between<T>(-20, 20, operand_count)};
  const Operands<T> b{draw.between<T>(-20, 20, operand_count)};
  const Operands<T> part{draw.between<T>(-0.5L, 1.5L, operand_count)};
  check<T>(
      glsl("FMix", 3),
      [](T x, T y, T p) {
        return Near{real(x) * (1 - real(p)) + real(y) * real(p), 3 * unit_in_last_place<T>(60)};
      },
      a, b, part);
  const Operands<T> low{draw.between<T>(-10, 0, operand_count)};
  const Operands<T> high{draw.between<T>(1, 10, operand_count)};
  check<T>(
      glsl("SmoothStep", 3),
      [](T from, T to, T x) {
        const long double t = std::clamp((real(x) - real(from)) / (real(to) - real(from)), 0.0L, 1.0L);
        return Near{t * t * (3 - 2 * t), 16 * unit_in_last_place<T>(1)};
      },
      low, high, a);
}

template <typename T>
void check_floats() {
  check_rounding<T>();
  check_choices<T>();
  check_roots<T>();
  check_mixing<T>();
}

TEST(MachineGlslCommon, SixteenBitFloats) { check_floats<Half>(); }
TEST(MachineGlslCommon, ThirtyTwoBitFloats) { check_floats<float>(); }
TEST(MachineGlslCommon, SixtyFourBitFloats) { check_floats<double>(); }

TEST(MachineGlslCommon, AllHalves) {
  Operands<Half> all;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    all.values.push_back({static_cast<std::uint16_t>(bits)});
  }
  for (const auto& [name, oracle] : std::initializer_list<std::pair<std::string, long double (*)(long double)>>{
           {"Sqrt", [](long double a) { return std::sqrt(a); }},
           {"Floor", [](long double a) { return std::floor(a); }},
           {"RoundEven", [](long double a) { return std::nearbyint(a); }},
           {"Fract", [](long double a) { return a - std::floor(a); }}}) {
    Form form = glsl(name, 1);
    form.rows = {1};
    check<Half>(
        form, [oracle = oracle](Half a) { return rounded<Half>(oracle(real(a))); }, all);
  }
}

template <typename T>
void check_integers() {
  using Signed = std::make_signed_t<T>;
  using Unsigned = std::make_unsigned_t<T>;
  const auto s = [](T value) { return static_cast<Signed>(value); };
  const auto u = [](T value) { return static_cast<Unsigned>(value); };
  check_drawn<T, T>(glsl("SAbs", 1), [&](T a) { return static_cast<T>(s(a) < 0 ? Unsigned{0} - u(a) : u(a)); });
  check_drawn<T, T>(glsl("SSign", 1), [&](T a) { return static_cast<T>(s(a) > 0 ? 1 : s(a) < 0 ? -1 : 0); });
  check_drawn<T, T, T>(glsl("UMin", 2), [&](T a, T b) { return u(a) < u(b) ? a : b; });
  check_drawn<T, T, T>(glsl("UMax", 2), [&](T a, T b) { return u(a) > u(b) ? a : b; });
  check_drawn<T, T, T>(glsl("SMin", 2), [&](T a, T b) { return s(a) < s(b) ? a : b; });
  check_drawn<T, T, T>(glsl("SMax", 2), [&](T a, T b) { return s(a) > s(b) ? a : b; });
  // Limits in the wrong order leave the result open.
  const auto clamped = [](auto a, auto low, auto high, T result) {
    return low > high ? anything : Near{static_cast<long double>(a < low ? low : a > high ? high : result)};
  };
  check_drawn<T, T, T, T>(glsl("UClamp", 3), [&](T a, T low, T high) {
    const auto expected = clamped(u(a), u(low), u(high), a);
    return expected.any ? expected : Near{real(static_cast<T>(u(a) < u(low) ? low : u(a) > u(high) ? high : a))};
  });
  check_drawn<T, T, T, T>(glsl("SClamp", 3), [&](T a, T low, T high) {
    const auto expected = clamped(s(a), s(low), s(high), a);
    return expected.any ? expected : Near{real(static_cast<T>(s(a) < s(low) ? low : s(a) > s(high) ? high : a))};
  });
}

TEST(MachineGlslCommon, Integers) {
  check_integers<std::int8_t>();
  check_integers<std::uint16_t>();
  check_integers<std::int16_t>();
  check_integers<std::uint32_t>();
  check_integers<std::int32_t>();
  check_integers<std::uint64_t>();
  check_integers<std::int64_t>();
}

TEST(MachineGlslCommon, BitsOfIntegers) {
  const auto lowest = [](std::uint32_t a) { return a == 0 ? -1 : std::countr_zero(a); };
  const auto highest = [](std::uint32_t a) { return 31 - std::countl_zero(a); };
  check_drawn<std::int32_t, std::uint32_t>(glsl("FindILsb", 1), lowest);
  check_drawn<std::int32_t, std::int32_t>(glsl("FindILsb", 1),
                                          [&](std::int32_t a) { return lowest(static_cast<std::uint32_t>(a)); });
  check_drawn<std::int32_t, std::uint32_t>(glsl("FindUMsb", 1), highest);
  check_drawn<std::int32_t, std::int32_t>(
      glsl("FindSMsb", 1), [&](std::int32_t a) { return highest(static_cast<std::uint32_t>(a < 0 ? ~a : a)); });
}

// The instruction with its second result in a variable of the function.
Form with_variable(const std::string& name, bool second) {
  return {"%first = OpExtInst $A %glsl " + name + " %a %second\n" +
              (second ? "%r = OpLoad $R %second" : "%r = OpCopyObject $R %first"),
          name == "Modf" ? "%second_pointer = OpTypePointer Function $A"
                         : "%i32_1 = OpTypeVector %i32 2\n%second_pointer = OpTypePointer Function $R",
          {1, 3},
          "%second = OpVariable %second_pointer Function"};
}

template <typename T>
void check_parts() {
  const auto fraction = [](auto a) { return std::copysign(std::isinf(a) ? 0 : a - std::trunc(a), a); };
  const auto whole = [](auto a) { return std::trunc(a); };
  const std::string pair = "%pair = OpTypeStruct $A $A";
  const auto modf_struct = [&](int part) {
    return Form{"%both = OpExtInst %pair %glsl ModfStruct %a\n%r = OpCompositeExtract $R %both " + std::to_string(part),
                pair};
  };
  const auto first = [&](T a) { return computed<T>(fraction, a); };
  const auto second = [&](T a) { return computed<T>(whole, a); };
  check_drawn<T, T>(with_variable("Modf", false), first);
  check_drawn<T, T>(with_variable("Modf", true), second);
  check_drawn<T, T>(modf_struct(0), first);
  check_drawn<T, T>(modf_struct(1), second);
  // Straight into the buffer of results.
  check_drawn<T, T>({"%first = OpExtInst $A %glsl Modf %a %place\n%r = OpLoad $R %place"}, second);
}

// What infinities and NaN become is open.
template <typename T>
void check_exponents() {
  const auto significand = [](T a) {
    int exponent = 0;
    return std::isfinite(real(a)) ? Near{std::frexp(real(a), &exponent)} : anything;
  };
  const auto exponent = [](T a) {
    int result = 0;
    std::frexp(real(a), &result);
    return std::isfinite(real(a)) ? Near{static_cast<long double>(result)} : anything;
  };
  check_drawn<T, T>({"%both = OpExtInst %pair %glsl FrexpStruct %a\n%r = OpCompositeExtract $R %both 0",
                     "%pair = OpTypeStruct $A %i32",
                     {1}},
                    significand);
  check_drawn<std::int32_t, T>({"%both = OpExtInst %pair %glsl FrexpStruct %a\n%r = OpCompositeExtract $R %both 1",
                                "%pair = OpTypeStruct $A $R"},
                               exponent);
  check_drawn<std::int32_t, T>({"%first = OpExtInst $A %glsl Frexp %a %second\n%r = OpLoad $R %second",
                                "%second_pointer = OpTypePointer Function $R",
                                {1, 3},
                                "%second = OpVariable %second_pointer Function"},
                               exponent);
  check_drawn<T, T>({"%r = OpExtInst $R %glsl Frexp %a %second",
                     "%second_pointer = OpTypePointer Function %i32",
                     {1},
                     "%second = OpVariable %second_pointer Function"},
                    significand);
  check_drawn<std::int32_t, T>({"%first = OpExtInst $A %glsl Frexp %a %place\n%r = OpLoad $R %place"}, exponent);
}

template <typename T, typename E>
void check_ldexp() {
  Draw draw(22);
  Operands<E> exponents{draw.some<E>(operand_count)};
  for (std::size_t i = 0; i < operand_count; i += 2) {
    exponents.values[i] = static_cast<E>(static_cast<int>(i % 61) - 30);
  }
  check<T>(
      glsl("Ldexp", 2),
      [](T a, E e) {
        const auto exponent = static_cast<int>(std::clamp<std::int64_t>(e, -100000, 100000));
        return computed<T>([&](auto x) { return std::ldexp(x, exponent); }, a);
      },
      Operands<T>{draw.some<T>(operand_count)}, exponents);
}

template <typename T>
void check_all_parts() {
  check_parts<T>();
  check_exponents<T>();
  check_ldexp<T, std::int32_t>();
}

TEST(MachineGlslParts, SixteenBitFloats) { check_all_parts<Half>(); }
TEST(MachineGlslParts, ThirtyTwoBitFloats) { check_all_parts<float>(); }
TEST(MachineGlslParts, SixtyFourBitFloats) { check_all_parts<double>(); }

TEST(MachineGlslParts, ExponentsOfOtherWidths) {
  check_ldexp<float, std::int16_t>();
  check_ldexp<double, std::int64_t>();
  check_ldexp<Half, std::int8_t>();
}

}  // namespace
}  // namespace crosslane::test
