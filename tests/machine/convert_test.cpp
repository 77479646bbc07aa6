// Conversions between numbers of all widths, and bits taken for something else.
#include <gtest/gtest.h>

#include "machine/check_instruction.hpp"

namespace crosslane::test {
namespace {

template <typename R, typename A, typename F>
void check_conversion(const std::string& opcode, F oracle) {
  check_drawn<R, A>({"%r = " + opcode + " $R %a"}, oracle);
}

template <typename R, typename A>
void check_integers() {
  if constexpr (sizeof(R) != sizeof(A)) {
    if constexpr (std::is_unsigned_v<R>) {
      check_conversion<R, A>("OpUConvert", [](A a) { return static_cast<R>(static_cast<std::make_unsigned_t<A>>(a)); });
    }
    check_conversion<R, A>("OpSConvert", [](A a) { return static_cast<R>(static_cast<std::make_signed_t<A>>(a)); });
  }
}

// What an integer cannot hold becomes the nearest that it can; NaN 0.
template <typename R, typename A>
R to_integer(A value) {
  const long double number = real(value);
  if (std::isnan(number)) {
    return 0;
  }
  if (number >= std::ldexp(1.0L, std::numeric_limits<R>::digits)) {
    return std::numeric_limits<R>::max();
  }
  if (number <= static_cast<long double>(std::numeric_limits<R>::min())) {
    return std::numeric_limits<R>::min();
  }
  return static_cast<R>(number);
}

template <typename I, typename F>
void check_integer_and_float() {
  constexpr bool is_signed = std::is_signed_v<I>;
  // Long doubles hold every integer exactly.
  check_conversion<F, I>(is_signed ? "OpConvertSToF" : "OpConvertUToF",
                         [](I a) { return rounded<F>(static_cast<long double>(a)); });
  check_conversion<I, F>(is_signed ? "OpConvertFToS" : "OpConvertFToU", [](F a) { return to_integer<I>(a); });
}

template <typename A>
void check_from() {
  check_integers<std::uint8_t, A>();
  check_integers<std::int8_t, A>();
  check_integers<std::uint16_t, A>();
  check_integers<std::int16_t, A>();
  check_integers<std::uint32_t, A>();
  check_integers<std::int32_t, A>();
  check_integers<std::uint64_t, A>();
  check_integers<std::int64_t, A>();
  check_integer_and_float<A, Half>();
  check_integer_and_float<A, float>();
  check_integer_and_float<A, double>();
}

TEST(MachineConvert, EightBitIntegers) {
  check_from<std::uint8_t>();
  check_from<std::int8_t>();
}

TEST(MachineConvert, SixteenBitIntegers) {
  check_from<std::uint16_t>();
  check_from<std::int16_t>();
}

TEST(MachineConvert, ThirtyTwoBitIntegers) {
  check_from<std::uint32_t>();
  check_from<std::int32_t>();
}

TEST(MachineConvert, SixtyFourBitIntegers) {
  check_from<std::uint64_t>();
  check_from<std::int64_t>();
}

// Numbers on the middle between two halves, and beside it.
template <typename T>
std::vector<T> around_ties() {
  std::vector<T> values;
  for (std::uint16_t bits = 0; bits < 0x7C00; bits = static_cast<std::uint16_t>(bits + 0x35)) {
    const double next = bits == 0x7BFF ? 65536 : to_double({static_cast<std::uint16_t>(bits + 1)});
    const T middle = static_cast<T>((to_double({bits}) + next) / 2);
    const T beyond = std::numeric_limits<T>::max();
    for (const T value : {middle, std::nextafter(middle, beyond), std::nextafter(middle, T{0})}) {
      values.push_back(value);
      values.push_back(-value);
    }
  }
  for (const double value : {65519.0, 65519.99, 65520.0, 65535.0, 65536.0}) {
    values.push_back(static_cast<T>(value));
  }
  return values;
}

TEST(MachineConvert, FloatsToHalves) {
  const Form form{"%r = OpFConvert $R %a"};
  check<Half>(
      form, [](float a) { return rounded<Half>(a); }, Operands<float>{around_ties<float>()});
  check<Half>(
      form, [](double a) { return rounded<Half>(a); }, Operands<double>{around_ties<double>()});
  check_drawn<Half, float>(form, [](float a) { return rounded<Half>(a); });
  check_drawn<Half, double>(form, [](double a) { return rounded<Half>(a); });
}

// Integers on the middle between two halves, and beside it.
TEST(MachineConvert, IntegersToHalvesAtTies) {
  Operands<std::uint32_t> words;
  Operands<std::int64_t> long_words;
  for (std::uint32_t value = 2040; value < 66000; value += 17) {
    words.values.push_back(value);
    long_words.values.push_back(-static_cast<std::int64_t>(value));
  }
  check<Half>(
      {"%r = OpConvertUToF $R %a"}, [](std::uint32_t a) { return rounded<Half>(a); }, words);
  check<Half>(
      {"%r = OpConvertSToF $R %a"}, [](std::int64_t a) { return rounded<Half>(static_cast<long double>(a)); },
      long_words);
}

TEST(MachineConvert, AllHalvesToWiderFloats) {
  Operands<Half> all;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    all.values.push_back({static_cast<std::uint16_t>(bits)});
  }
  check<float>(
      {"%r = OpFConvert $R %a", "", {1}}, [](Half a) { return static_cast<float>(to_double(a)); }, all);
  check<double>(
      {"%r = OpFConvert $R %a", "", {2}}, [](Half a) { return to_double(a); }, all);
  // To a float and back: nothing is lost.
  const Form there_and_back{"%wide = OpFConvert %f32 %a\n%r = OpFConvert $R %wide", "%f32 = OpTypeFloat 32", {1}};
  check<Half>(
      there_and_back, [](Half a) { return a; }, all);
}

TEST(MachineConvert, BetweenFloatAndDouble) {
  check_conversion<float, double>("OpFConvert", [](double a) { return static_cast<float>(a); });
  check_conversion<double, float>("OpFConvert", [](float a) { return static_cast<double>(a); });
}

// A half's value in 32 bits; denormal halves are zero.
float quantized(float value) {
  const Half half = rounded<Half>(value);
  const double kept = (half.bits & 0x7C00U) == 0 ? std::copysign(0.0, to_double(half)) : to_double(half);
  return static_cast<float>(kept);
}

TEST(MachineConvert, QuantizeToHalf) {
  const Form form{"%r = OpQuantizeToF16 $R %a"};
  check<float>(form, &quantized, Operands<float>{around_ties<float>()});
  check_drawn<float, float>(form, &quantized);
}

// A bitcast keeps the bytes: lower numbered components hold lower bits.
template <typename R, typename A>
void check_bitcast(std::uint32_t result_rows, std::uint32_t operand_rows) {
  constexpr std::size_t count = 200;
  const std::vector<A> values = Draw(7).some<A>(count * operand_rows);
  const Instruction instruction{
      .body = "%r = OpBitcast $R %a", .result = type_of<R>(result_rows), .operands = {type_of<A>(operand_rows)}};
  const std::vector<std::vector<std::byte>> inputs = {bytes_of_values(std::span<const A>(values))};
  ASSERT_EQ(sizeof(R) * result_rows, sizeof(A) * operand_rows);
  check_threads<R>(
      instruction, inputs, count,
      [&](std::size_t thread) {
        std::vector<R> bits(result_rows);
        std::memcpy(bits.data(), &values[thread * operand_rows], sizeof(R) * result_rows);
        return bits;
      },
      [&](std::size_t thread, std::size_t) { return shown(values[thread * operand_rows]); });
}

TEST(MachineConvert, BitcastsOfOneWidth) {
  for (const std::uint32_t rows : {1U, 3U}) {
    check_bitcast<std::int8_t, std::uint8_t>(rows, rows);
    check_bitcast<Half, std::uint16_t>(rows, rows);
    check_bitcast<std::int16_t, Half>(rows, rows);
    check_bitcast<float, std::uint32_t>(rows, rows);
    check_bitcast<std::int32_t, float>(rows, rows);
    check_bitcast<double, std::int64_t>(rows, rows);
    check_bitcast<std::uint64_t, double>(rows, rows);
  }
}

TEST(MachineConvert, BitcastsBetweenWidths) {
  check_bitcast<std::uint64_t, std::uint32_t>(1, 2);
  check_bitcast<std::uint32_t, std::uint64_t>(2, 1);
  check_bitcast<std::uint64_t, std::uint32_t>(2, 4);
  check_bitcast<std::int32_t, double>(4, 2);
  check_bitcast<double, float>(1, 2);
  check_bitcast<float, double>(2, 1);
  check_bitcast<std::uint32_t, Half>(1, 2);
  check_bitcast<Half, std::uint32_t>(4, 2);
  check_bitcast<std::uint32_t, std::uint8_t>(1, 4);
  check_bitcast<std::uint8_t, float>(4, 1);
  check_bitcast<double, std::uint16_t>(1, 4);
  check_bitcast<Half, std::int64_t>(4, 1);
  check_bitcast<std::int16_t, std::uint8_t>(2, 4);
  check_bitcast<std::uint8_t, Half>(2, 1);
}

}  // namespace
}  // namespace crosslane::test
