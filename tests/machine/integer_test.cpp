// Integer instructions of every width against wide integers.
#include <gtest/gtest.h>

#include "machine/check_instruction.hpp"

namespace crosslane::test {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

template <typename T>
constexpr int width = 8 * sizeof(T);
template <typename T>
using Unsigned = std::make_unsigned_t<T>;
template <typename T>
using Signed = std::make_signed_t<T>;

// As the instruction means its operands.
template <typename T>
Wide s(T value) {
  return static_cast<Signed<T>>(value);
}
template <typename T>
Wide u(T value) {
  return static_cast<Unsigned<T>>(value);
}

Form binary(const std::string& opcode) { return {"%r = " + opcode + " $R %a %b"}; }
Form unary(const std::string& opcode) { return {"%r = " + opcode + " $R %a"}; }

template <typename T>
void check_binary(const std::string& opcode, Wide (*oracle)(T, T)) {
  check_drawn<T, T, T>(binary(opcode), [oracle](T a, T b) { return static_cast<T>(oracle(a, b)); });
}

// A division by zero gives all ones on the machine.
template <typename T>
void check_any_sign() {
  check_binary<T>("OpIAdd", [](T a, T b) { return s(a) + s(b); });
  check_binary<T>("OpISub", [](T a, T b) { return s(a) - s(b); });
  check_binary<T>("OpIMul", [](T a, T b) { return s(a) * s(b); });
  check_binary<T>("OpSDiv", [](T a, T b) { return b == 0 ? Wide{-1} : s(a) / s(b); });
  check_binary<T>("OpSRem", [](T a, T b) { return b == 0 ? Wide{-1} : s(a) % s(b); });
  check_binary<T>("OpSMod", [](T a, T b) {
    const Wide rest = b == 0 ? Wide{-1} : s(a) % s(b);
    return b != 0 && rest != 0 && (rest < 0) != (s(b) < 0) ? rest + s(b) : rest;
  });
  check_binary<T>("OpShiftLeftLogical", [](T a, T b) { return u(a) << (u(b) % width<T>); });
  check_binary<T>("OpShiftRightLogical", [](T a, T b) { return u(a) >> (u(b) % width<T>); });
  check_binary<T>("OpShiftRightArithmetic", [](T a, T b) { return s(a) >> (u(b) % width<T>); });
  check_binary<T>("OpBitwiseAnd", [](T a, T b) { return u(a) & u(b); });
  check_binary<T>("OpBitwiseOr", [](T a, T b) { return u(a) | u(b); });
  check_binary<T>("OpBitwiseXor", [](T a, T b) { return u(a) ^ u(b); });
  check_drawn<T, T>(unary("OpNot"), [](T a) { return static_cast<T>(~s(a)); });
  check_drawn<T, T>(unary("OpSNegate"), [](T a) { return static_cast<T>(-s(a)); });
  check_drawn<T, T>(unary("OpCopyObject"), [](T a) { return a; });
}

template <typename T>
void check_unsigned() {
  check_binary<T>("OpUDiv", [](T a, T b) { return b == 0 ? Wide{-1} : u(a) / u(b); });
  check_binary<T>("OpUMod", [](T a, T b) { return b == 0 ? Wide{-1} : u(a) % u(b); });
}

// Both halves of a result in a struct of two.
template <typename T>
void check_pair(const std::string& opcode, T (*lower)(T, T), T (*upper)(T, T)) {
  for (const int part : {0, 1}) {
    for (const std::uint32_t rows : {1U, 2U}) {
      const auto type = "%" + type_of<T>(rows).name();
      const Form form{"%both = " + opcode + " %pair %a %b\n%r = OpCompositeExtract $R %both " + std::to_string(part),
                      "%pair = OpTypeStruct " + type + " " + type,
                      {rows}};
      check_drawn<T, T, T>(form, part == 0 ? lower : upper);
    }
  }
}

template <typename T>
void check_extended() {
  if constexpr (std::is_unsigned_v<T>) {
    check_pair<T>(
        "OpIAddCarry", [](T a, T b) { return static_cast<T>(u(a) + u(b)); },
        [](T a, T b) { return static_cast<T>((u(a) + u(b)) >> width<T>); });
    check_pair<T>(
        "OpISubBorrow", [](T a, T b) { return static_cast<T>(u(a) - u(b)); },
        [](T a, T b) { return static_cast<T>(u(a) < u(b) ? 1 : 0); });
    check_pair<T>(
        "OpUMulExtended", [](T a, T b) { return static_cast<T>(UnsignedWide{a} * b); },
        [](T a, T b) { return static_cast<T>((UnsignedWide{a} * b) >> width<T>); });
  }
  check_pair<T>(
      "OpSMulExtended", [](T a, T b) { return static_cast<T>(s(a) * s(b)); },
      [](T a, T b) { return static_cast<T>((s(a) * s(b)) >> width<T>); });
}

template <typename T>
void check_all() {
  check_any_sign<T>();
  check_extended<T>();
  if constexpr (std::is_unsigned_v<T>) {
    check_unsigned<T>();
  }
}

TEST(MachineInteger, EightBits) {
  check_all<std::uint8_t>();
  check_all<std::int8_t>();
}

TEST(MachineInteger, SixteenBits) {
  check_all<std::uint16_t>();
  check_all<std::int16_t>();
}

TEST(MachineInteger, ThirtyTwoBits) {
  check_all<std::uint32_t>();
  check_all<std::int32_t>();
}

TEST(MachineInteger, SixtyFourBits) {
  check_all<std::uint64_t>();
  check_all<std::int64_t>();
}

// A shift's amount may be of another width and sign than what is shifted.
template <typename T, typename Amount>
void check_shift() {
  const auto amount = [](Amount b) { return static_cast<int>(static_cast<Unsigned<Amount>>(b) % width<T>); };
  Draw draw(9);
  const Operands<T> base{draw.some<T>(operand_count)};
  Operands<Amount> by{{}};
  for (std::size_t i = 0; i < operand_count; ++i) {
    by.values.push_back(static_cast<Amount>(draw.one<std::uint8_t>() % width<T>));
  }
  check<T>(
      binary("OpShiftLeftLogical"), [&](T a, Amount b) { return static_cast<T>(u(a) << amount(b)); }, base, by);
  check<T>(
      binary("OpShiftRightLogical"), [&](T a, Amount b) { return static_cast<T>(u(a) >> amount(b)); }, base, by);
  check<T>(
      binary("OpShiftRightArithmetic"), [&](T a, Amount b) { return static_cast<T>(s(a) >> amount(b)); }, base, by);
}

TEST(MachineInteger, ShiftsByOtherTypes) {
  check_shift<std::uint64_t, std::uint32_t>();
  check_shift<std::int64_t, std::uint8_t>();
  check_shift<std::uint32_t, std::int64_t>();
  check_shift<std::int16_t, std::uint32_t>();
  check_shift<std::uint8_t, std::int32_t>();
}

template <typename T>
T reversed(T value) {
  T result = 0;
  for (int bit = 0; bit < width<T>; ++bit) {
    if ((u(value) >> bit & 1) != 0) {
      result = static_cast<T>(result | (Unsigned<T>{1} << (width<T> - 1 - bit)));
    }
  }
  return result;
}

template <typename T>
T counted(T value) {
  int bits = 0;
  for (int bit = 0; bit < width<T>; ++bit) {
    bits += static_cast<int>(u(value) >> bit & 1);
  }
  return static_cast<T>(bits);
}

// Bit `offset` + i of `base`, for i below `count`.
template <typename T>
T extracted(T base, int offset, int count, bool with_sign) {
  T result = 0;
  for (int bit = 0; bit < width<T>; ++bit) {
    const int from = bit < count ? bit : with_sign ? count - 1 : -1;
    if (count > 0 && from >= 0 && (u(base) >> (offset + from) & 1) != 0) {
      result = static_cast<T>(result | (Unsigned<T>{1} << bit));
    }
  }
  return result;
}

template <typename T>
T inserted(T base, T insert, int offset, int count) {
  for (int bit = 0; bit < count; ++bit) {
    const auto place = static_cast<Unsigned<T>>(Unsigned<T>{1} << (offset + bit));
    base = static_cast<T>((u(insert) >> bit & 1) != 0 ? base | place : base & static_cast<T>(~place));
  }
  return base;
}

template <typename T>
void check_bits() {
  check_drawn<T, T>(unary("OpBitReverse"), [](T a) { return reversed(a); });
  check_drawn<T, T>(unary("OpBitCount"), [](T a) { return counted(a); });
  Draw draw(3);
  const Operands<T> base{draw.some<T>(operand_count)};
  const Operands<T> insert{draw.some<T>(operand_count)};
  Operands<std::uint32_t> offset{{}, true};
  Operands<std::int32_t> count{{}, true};
  for (std::size_t i = 0; i < operand_count; ++i) {
    offset.values.push_back(draw.one<std::uint32_t>() % width<T>);
    const auto room = width<T> - static_cast<int>(offset.values.back());
    count.values.push_back(static_cast<int>(draw.one<std::uint32_t>() % static_cast<std::uint32_t>(room + 1)));
  }
  check<T>(
      {"%r = OpBitFieldUExtract $R %a %b %c"},
      [](T a, std::uint32_t o, std::int32_t c) { return extracted(a, static_cast<int>(o), c, false); }, base, offset,
      count);
  check<T>(
      {"%r = OpBitFieldSExtract $R %a %b %c"},
      [](T a, std::uint32_t o, std::int32_t c) { return extracted(a, static_cast<int>(o), c, true); }, base, offset,
      count);
  check<T>(
      {"%r = OpBitFieldInsert $R %a %b %c %d"},
      [](T a, T b, std::uint32_t o, std::int32_t c) { return inserted(a, b, static_cast<int>(o), c); }, base, insert,
      offset, count);
}

// Vulkan has them for 32 bits only.
TEST(MachineInteger, BitFields) {
  check_bits<std::uint32_t>();
  check_bits<std::int32_t>();
}

}  // namespace
}  // namespace crosslane::test
