// Comparisons, logic, selections, any and all.
#include <gtest/gtest.h>

#include "machine/check_instruction.hpp"

namespace crosslane::test {
namespace {

Truth truth(bool value) { return value ? Truth::yes : Truth::no; }
bool is_true(Truth value) { return value == Truth::yes; }

template <typename T, typename F>
void check_comparison(const std::string& opcode, F oracle) {
  check_drawn<Truth, T, T>({"%r = " + opcode + " $R %a %b"}, [&](T a, T b) { return truth(oracle(a, b)); });
}

template <typename T>
void check_integers() {
  const auto s = [](T value) { return static_cast<std::make_signed_t<T>>(value); };
  const auto u = [](T value) { return static_cast<std::make_unsigned_t<T>>(value); };
  check_comparison<T>("OpIEqual", [](T a, T b) { return a == b; });
  check_comparison<T>("OpINotEqual", [](T a, T b) { return a != b; });
  check_comparison<T>("OpULessThan", [&](T a, T b) { return u(a) < u(b); });
  check_comparison<T>("OpULessThanEqual", [&](T a, T b) { return u(a) <= u(b); });
  check_comparison<T>("OpUGreaterThan", [&](T a, T b) { return u(a) > u(b); });
  check_comparison<T>("OpUGreaterThanEqual", [&](T a, T b) { return u(a) >= u(b); });
  check_comparison<T>("OpSLessThan", [&](T a, T b) { return s(a) < s(b); });
  check_comparison<T>("OpSLessThanEqual", [&](T a, T b) { return s(a) <= s(b); });
  check_comparison<T>("OpSGreaterThan", [&](T a, T b) { return s(a) > s(b); });
  check_comparison<T>("OpSGreaterThanEqual", [&](T a, T b) { return s(a) >= s(b); });
}

// Ordered comparisons are false, unordered ones true, where an operand is NaN.
template <typename T, typename F>
void check_both(const std::string& name, F oracle) {
  const auto is_nan = [](T value) { return std::isnan(real(value)); };
  check_comparison<T>("OpFOrd" + name, [&](T a, T b) { return !is_nan(a) && !is_nan(b) && oracle(real(a), real(b)); });
  check_comparison<T>("OpFUnord" + name, [&](T a, T b) { return is_nan(a) || is_nan(b) || oracle(real(a), real(b)); });
}

template <typename T>
void check_floats() {
  check_both<T>("Equal", [](long double a, long double b) { return a == b; });
  check_both<T>("NotEqual", [](long double a, long double b) { return a != b; });
  check_both<T>("LessThan", [](long double a, long double b) { return a < b; });
  check_both<T>("LessThanEqual", [](long double a, long double b) { return a <= b; });
  check_both<T>("GreaterThan", [](long double a, long double b) { return a > b; });
  check_both<T>("GreaterThanEqual", [](long double a, long double b) { return a >= b; });
  check_drawn<Truth, T>({"%r = OpIsNan $R %a"}, [](T a) { return truth(std::isnan(real(a))); });
  check_drawn<Truth, T>({"%r = OpIsInf $R %a"}, [](T a) { return truth(std::isinf(real(a))); });
}

template <typename T>
void check_select() {
  check_drawn<T, Truth, T, T>({"%r = OpSelect $R %a %b %c", "", {1, 2, 4}},
                              [](Truth which, T yes, T no) { return is_true(which) ? yes : no; });
  // One condition for a whole vector.
  Draw draw(6);
  check<T>(
      {"%r = OpSelect $R %a %b %c", "", {2, 3}}, [](Truth which, T yes, T no) { return is_true(which) ? yes : no; },
      Operands<Truth>{draw.some<Truth>(operand_count), true}, Operands<T>{draw.some<T>(operand_count)},
      Operands<T>{draw.some<T>(operand_count)});
}

TEST(MachineCompare, Integers) {
  check_integers<std::uint8_t>();
  check_integers<std::int8_t>();
  check_integers<std::uint16_t>();
  check_integers<std::int16_t>();
  check_integers<std::uint32_t>();
  check_integers<std::int32_t>();
  check_integers<std::uint64_t>();
  check_integers<std::int64_t>();
}

TEST(MachineCompare, Floats) {
  check_floats<Half>();
  check_floats<float>();
  check_floats<double>();
}

TEST(MachineCompare, Logic) {
  const auto logic = [](const std::string& opcode, auto oracle) {
    check_drawn<Truth, Truth, Truth>({"%r = " + opcode + " $R %a %b", "", {1, 2, 3, 4}},
                                     [&](Truth a, Truth b) { return truth(oracle(is_true(a), is_true(b))); });
  };
  logic("OpLogicalAnd", [](bool a, bool b) { return a && b; });
  logic("OpLogicalOr", [](bool a, bool b) { return a || b; });
  logic("OpLogicalEqual", [](bool a, bool b) { return a == b; });
  logic("OpLogicalNotEqual", [](bool a, bool b) { return a != b; });
  check_drawn<Truth, Truth>({"%r = OpLogicalNot $R %a", "", {1, 2, 3, 4}}, [](Truth a) { return truth(!is_true(a)); });
}

TEST(MachineCompare, Select) {
  check_select<Truth>();
  check_select<std::uint8_t>();
  check_select<std::int16_t>();
  check_select<std::uint32_t>();
  check_select<std::int64_t>();
  check_select<Half>();
  check_select<float>();
  check_select<double>();
}

TEST(MachineCompare, AnyAndAll) {
  for (const std::uint32_t rows : {2U, 3U, 4U}) {
    constexpr std::size_t count = 100;
    std::vector<Truth> values = Draw(rows).some<Truth>(count * rows);
    std::fill_n(values.begin(), rows, Truth::no);
    std::fill_n(values.begin() + rows, rows, Truth::yes);
    const std::vector<std::vector<std::byte>> inputs = {bytes_of_values(std::span<const Truth>(values))};
    for (const bool all : {false, true}) {
      const Instruction instruction{.body = all ? "%r = OpAll $R %a" : "%r = OpAny $R %a",
                                    .result = type_of<Truth>(),
                                    .operands = {type_of<Truth>(rows)}};
      check_threads<Truth>(
          instruction, inputs, count,
          [&](std::size_t thread) {
            const auto mine = std::span(values).subspan(thread * rows, rows);
            return std::vector{truth(all ? std::ranges::all_of(mine, is_true) : std::ranges::any_of(mine, is_true))};
          },
          [](std::size_t, std::size_t) { return "its vector"; });
    }
  }
}

}  // namespace
}  // namespace crosslane::test
