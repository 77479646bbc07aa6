// Float arithmetic, which rounds correctly, and keeps denormals, signed zeros, infinities and NaN.
#include <gtest/gtest.h>

#include "machine/check_instruction.hpp"

namespace crosslane::test {
namespace {

template <typename T, typename F>
void check_binary(const std::string& opcode, F oracle) {
  check_drawn<T, T, T>({"%r = " + opcode + " $R %a %b"}, [&](T a, T b) { return computed<T>(oracle, a, b); });
}

// The remainder is exact; where the divisor's sign asks for it, the divisor is added.
template <typename T>
Near modulo(T a, T b) {
  long double rest = std::fmod(real(a), real(b));
  if (rest != 0 && (rest < 0) != (real(b) < 0)) {
    rest += real(b);
  }
  return within<T>(rest, 0.51L);
}

template <typename T>
void check_all() {
  check_binary<T>("OpFAdd", [](auto a, auto b) { return a + b; });
  check_binary<T>("OpFSub", [](auto a, auto b) { return a - b; });
  check_binary<T>("OpFMul", [](auto a, auto b) { return a * b; });
  check_binary<T>("OpFDiv", [](auto a, auto b) { return a / b; });
  check_binary<T>("OpFRem", [](auto a, auto b) { return std::fmod(a, b); });
  check_drawn<T, T, T>({"%r = OpFMod $R %a %b"}, [](T a, T b) { return modulo(a, b); });
  check_drawn<T, T>({"%r = OpFNegate $R %a"}, [](T a) { return computed<T>([](auto x) { return -x; }, a); });
  check_drawn<T, T>({"%r = OpCopyObject $R %a"}, [](T a) { return a; });
  Draw draw(5);
  check<T>(
      {"%r = OpVectorTimesScalar $R %a %b", "", {2, 3, 4}},
      [](T a, T b) { return computed<T>([](auto x, auto y) { return x * y; }, a, b); },
      Operands<T>{draw.some<T>(operand_count)}, Operands<T>{draw.some<T>(operand_count), true});
}

TEST(MachineFloat, SixteenBits) { check_all<Half>(); }

TEST(MachineFloat, ThirtyTwoBits) { check_all<float>(); }

TEST(MachineFloat, SixtyFourBits) { check_all<double>(); }

// Sums, differences, products and quotients of halves that fall on the middle between two halves, and beside it.
TEST(MachineFloat, HalvesAtTies) {
  Operands<Half> a;
  Operands<Half> b;
  for (std::uint16_t base = 0x0001; base < 0x7C00; base = static_cast<std::uint16_t>(base + 0x1F3)) {
    const double value = to_double({base});
    const double middle = to_double({static_cast<std::uint16_t>(base + 1)}) - value;
    for (const double part : {0.5, 0.499, 0.501, 0.25, -0.5, -0.501}) {
      a.values.push_back({base});
      b.values.push_back(to_half(static_cast<long double>(middle * part)));
    }
  }
  const Form sum{"%r = OpFAdd $R %a %b"};
  check<Half>(
      sum, [](Half x, Half y) { return rounded<Half>(real(x) + real(y)); }, a, b);
  const Form difference{"%r = OpFSub $R %a %b"};
  check<Half>(
      difference, [](Half x, Half y) { return rounded<Half>(real(x) - real(y)); }, a, b);
}

// Every half, by itself and squared.
TEST(MachineFloat, AllHalves) {
  Operands<Half> all;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    all.values.push_back({static_cast<std::uint16_t>(bits)});
  }
  check<Half>(
      {"%r = OpFMul $R %a %a", "", {1}}, [](Half x) { return rounded<Half>(real(x) * real(x)); }, all);
  check<Half>(
      {"%r = OpFAdd $R %a %a", "", {4}}, [](Half x) { return rounded<Half>(real(x) + real(x)); }, all);
}

}  // namespace
}  // namespace crosslane::test
