// Composites taken apart and put together, and products of vectors and matrices.
#include <gtest/gtest.h>

#include "machine/check_instruction.hpp"

namespace crosslane::test {
namespace {

constexpr std::size_t threads = 120;

using Words = std::vector<std::uint32_t>;
using WordSpan = std::span<const std::uint32_t>;

Type words(std::uint32_t rows) { return {'u', 32, rows}; }

Words drawn_words(std::size_t count) { return Draw(count).some<std::uint32_t>(count); }

void check_words(const Instruction& instruction, Words (*oracle)(WordSpan, WordSpan)) {
  check_whole<std::uint32_t>(instruction, oracle, drawn_words(threads * instruction.operands[0].rows),
                             drawn_words(threads * instruction.operands[1].rows));
}

TEST(MachineComposite, VectorsFromParts) {
  check_words({.body = "%r = OpCompositeConstruct $R %a %b", .result = words(4), .operands = {words(3), words(1)}},
              [](WordSpan a, WordSpan b) {
                return Words{a[0], a[1], a[2], b[0]};
              });
  check_words({.body = "%r = OpCompositeConstruct $R %b %a", .result = words(3), .operands = {words(2), words(1)}},
              [](WordSpan a, WordSpan b) {
                return Words{b[0], a[0], a[1]};
              });
  check_words({.body = "%r = OpCompositeExtract $R %a 2", .result = words(1), .operands = {words(4), words(1)}},
              [](WordSpan a, WordSpan) { return Words{a[2]}; });
  check_words({.body = "%r = OpCompositeInsert $R %b %a 1", .result = words(4), .operands = {words(4), words(1)}},
              [](WordSpan a, WordSpan b) {
                return Words{a[0], b[0], a[2], a[3]};
              });
}

// A struct of a number, an array of two vectors and a vector.
constexpr auto* nested_types = R"(%two = OpConstant %u32 2
%pair = OpTypeArray %v3u32 %two
%nested = OpTypeStruct %u32 %pair %v2u32)";

TEST(MachineComposite, NestedParts) {
  const std::string make =
      "%array = OpCompositeConstruct %pair %a %b\n%x = OpCompositeExtract %u32 %b 0\n"
      "%xy = OpVectorShuffle %v2u32 %a %a 1 0\n%whole = OpCompositeConstruct %nested %x %array %xy\n";
  check_words({.body = make + "%r = OpCompositeExtract $R %whole 1 1",
               .result = words(3),
               .operands = {words(3), words(3)},
               .declarations = nested_types},
              [](WordSpan, WordSpan b) {
                return Words{b.begin(), b.end()};
              });
  check_words({.body = make + "%r = OpCompositeExtract $R %whole 1 0 2",
               .result = words(1),
               .operands = {words(3), words(3)},
               .declarations = nested_types},
              [](WordSpan a, WordSpan) { return Words{a[2]}; });
  check_words({.body = make + "%changed = OpCompositeInsert %nested %a %whole 1 1\n"
                              "%again = OpCompositeInsert %nested %x %changed 2 1\n"
                              "%p = OpCompositeExtract %v3u32 %again 1 1\n%q = OpCompositeExtract %v2u32 %again 2\n"
                              "%s = OpCompositeExtract %u32 %p 1\n%r = OpCompositeConstruct $R %q %s %x",
               .result = words(4),
               .operands = {words(3), words(3)},
               .declarations = nested_types},
              [](WordSpan a, WordSpan b) {
                return Words{a[1], b[0], a[1], b[0]};
              });
  // A whole struct chosen by a condition.
  check_words({.body = make + "%other = OpCompositeInsert %nested %a %whole 1 1\n%less = OpULessThan %bool %x %word_1\n"
                              "%chosen = OpSelect %nested %less %whole %other\n%r = OpCompositeExtract $R %chosen 1 1",
               .result = words(3),
               .operands = {words(3), words(3)},
               .declarations = nested_types},
              [](WordSpan a, WordSpan b) {
                const auto chosen = b[0] < 1 ? b : a;
                return Words{chosen.begin(), chosen.end()};
              });
}

// Structs that differ in their decorations only.
TEST(MachineComposite, CopyLogical) {
  check_words({.body = "%one = OpCompositeConstruct %plain %a %b\n%other = OpCopyLogical %decorated %one\n"
                       "%x = OpCompositeExtract %u32 %other 1\n%xyz = OpCompositeExtract %v3u32 %other 0\n"
                       "%r = OpCompositeConstruct $R %x %xyz",
               .result = words(4),
               .operands = {words(3), words(1)},
               .declarations = "%plain = OpTypeStruct %v3u32 %u32\n%decorated = OpTypeStruct %v3u32 %u32",
               .decorations = "OpMemberDecorate %decorated 0 Offset 0\nOpMemberDecorate %decorated 1 Offset 16\n"},
              [](WordSpan a, WordSpan b) {
                return Words{b[0], a[0], a[1], a[2]};
              });
}

TEST(MachineComposite, Shuffles) {
  check_words({.body = "%r = OpVectorShuffle $R %a %b 4 0 3 1", .result = words(4), .operands = {words(3), words(2)}},
              [](WordSpan a, WordSpan b) {
                return Words{b[1], a[0], b[0], a[1]};
              });
  check_words({.body = "%r = OpVectorShuffle $R %a %b 2 2", .result = words(2), .operands = {words(4), words(4)}},
              [](WordSpan a, WordSpan) {
                return Words{a[2], a[2]};
              });
  // A component that nothing is asked of.
  check_words({.body = "%s = OpVectorShuffle %v3u32 %a %b 0xFFFFFFFF 3 0\n%r = OpVectorShuffle $R %s %s 1 2",
               .result = words(2),
               .operands = {words(2), words(2)}},
              [](WordSpan a, WordSpan b) {
                return Words{b[1], a[0]};
              });
  // Swizzles that feed arithmetic: rows that do not lie side by side.
  check_words({.body = "%s = OpVectorShuffle %v4u32 %a %b 3 5 0 6\n%r = OpIAdd $R %s %b",
               .result = words(4),
               .operands = {words(4), words(4)}},
              [](WordSpan a, WordSpan b) {
                return Words{a[3] + b[0], b[1] + b[1], a[0] + b[2], b[2] + b[3]};
              });
}

// By an index of the type T; in each thread another one.
template <typename E, typename T>
void check_dynamic(std::uint32_t rows) {
  const auto vector = Draw(rows).some<E>(threads * rows);
  const auto component = Draw(rows + 1).some<E>(threads);
  std::vector<T> index;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    index.push_back(static_cast<T>(thread * 7 / 3 % rows));
  }
  check_whole<E>(
      {.body = "%r = OpVectorExtractDynamic $R %a %b",
       .result = type_of<E>(),
       .operands = {type_of<E>(rows), type_of<T>()}},
      [](std::span<const E> a, std::span<const T> i) { return std::vector{a[static_cast<std::size_t>(i[0])]}; }, vector,
      index);
  check_whole<E>(
      {.body = "%r = OpVectorInsertDynamic $R %a %c %b",
       .result = type_of<E>(rows),
       .operands = {type_of<E>(rows), type_of<T>(), type_of<E>()}},
      [](std::span<const E> a, std::span<const T> i, std::span<const E> c) {
        std::vector<E> changed(a.begin(), a.end());
        changed[static_cast<std::size_t>(i[0])] = c[0];
        return changed;
      },
      vector, index, component);
}

TEST(MachineComposite, DynamicComponents) {
  check_dynamic<std::uint32_t, std::uint32_t>(4);
  check_dynamic<double, std::int32_t>(3);
  check_dynamic<Half, std::uint16_t>(2);
  check_dynamic<std::int8_t, std::int64_t>(4);
  check_dynamic<std::uint64_t, std::uint8_t>(3);
  check_dynamic<Truth, std::uint32_t>(4);
}

TEST(MachineComposite, UndefinedValues) {
  // Any value will do, as long as it is one: x − x is 0 or the value is not used.
  check_words({.body = "%u = OpUndef %u32\n%v = OpBitwiseXor %u32 %u %u\n%y = OpUndef %v3u32\n"
                       "%z = OpCompositeInsert %v3u32 %b %y 2\n%w = OpCompositeExtract %u32 %z 2\n"
                       "%r = OpCompositeConstruct $R %v %w %a",
               .result = words(4),
               .operands = {words(2), words(1)}},
              [](WordSpan a, WordSpan b) {
                return Words{0, b[0], a[0], a[1]};
              });
}

// Column by column, as matrices lie in memory.
template <typename T>
struct Matrix {
  std::span<const T> values;
  std::uint32_t rows = 1;
  [[nodiscard]] T at(std::uint32_t row, std::uint32_t column) const { return values[column * rows + row]; }
};

template <typename T>
T sum(T a, T b) {
  return computed<T>([](auto x, auto y) { return x + y; }, a, b);
}
template <typename T>
T product(T a, T b) {
  return computed<T>([](auto x, auto y) { return x * y; }, a, b);
}

// Every product and sum rounds on its own, from the first component on.
template <typename T>
std::vector<T> multiplied(const Matrix<T>& left, const Matrix<T>& right, std::uint32_t inner) {
  const auto columns = static_cast<std::uint32_t>(right.values.size()) / inner;
  std::vector<T> result;
  for (std::uint32_t column = 0; column < columns; ++column) {
    for (std::uint32_t row = 0; row < left.rows; ++row) {
      T total = product(left.at(row, 0), right.at(0, column));
      for (std::uint32_t i = 1; i < inner; ++i) {
        total = sum(total, product(left.at(row, i), right.at(i, column)));
      }
      result.push_back(total);
    }
  }
  return result;
}

// (rows × inner) · (inner × columns)
template <typename T>
void check_products(std::uint32_t rows, std::uint32_t inner, std::uint32_t columns) {
  const auto bits = static_cast<std::uint32_t>(8 * sizeof(T));
  const Type left{'f', bits, rows, inner};
  const Type right{'f', bits, inner, columns};
  const auto draw = [](std::uint32_t seed, const Type& type) {
    return Draw(seed).between<T>(-20, 20, threads * type.scalars());
  };
  const auto any_product = [&](std::span<const T> a, std::span<const T> b) {
    return multiplied(Matrix<T>{a, static_cast<std::uint32_t>(a.size()) / inner}, Matrix<T>{b, inner}, inner);
  };
  const auto check_product = [&](const std::string& opcode, const Type& result, const Type& a, const Type& b) {
    check_whole<T>({.body = "%r = " + opcode + " $R %a %b", .result = result, .operands = {a, b}}, any_product,
                   draw(1, a), draw(2, b));
  };
  check_product("OpMatrixTimesMatrix", {'f', bits, rows, columns}, left, right);
  check_product("OpMatrixTimesVector", {'f', bits, rows}, left, {'f', bits, inner});
  check_product("OpVectorTimesMatrix", {'f', bits, columns}, {'f', bits, inner}, right);
  check_product("OpDot", {'f', bits}, {'f', bits, inner}, {'f', bits, inner});
  check_whole<T>(
      {.body = "%r = OpMatrixTimesScalar $R %a %b", .result = left, .operands = {left, {'f', bits}}},
      [](std::span<const T> a, std::span<const T> b) {
        std::vector<T> scaled;
        for (const auto value : a) {
          scaled.push_back(product(value, b[0]));
        }
        return scaled;
      },
      draw(3, left), draw(4, {'f', bits}));
  check_whole<T>(
      {.body = "%r = OpTranspose $R %a", .result = {'f', bits, inner, rows}, .operands = {left}},
      [&](std::span<const T> a) {
        std::vector<T> transposed;
        for (std::uint32_t row = 0; row < rows; ++row) {
          for (std::uint32_t column = 0; column < inner; ++column) {
            transposed.push_back(Matrix<T>{a, rows}.at(row, column));
          }
        }
        return transposed;
      },
      draw(5, left));
  check_whole<T>(
      {.body = "%r = OpOuterProduct $R %a %b", .result = left, .operands = {{'f', bits, rows}, {'f', bits, inner}}},
      [](std::span<const T> a, std::span<const T> b) {
        std::vector<T> result;
        for (const auto column : b) {
          for (const auto row : a) {
            result.push_back(product(row, column));
          }
        }
        return result;
      },
      draw(6, {'f', bits, rows}), draw(7, {'f', bits, inner}));
}

template <typename T>
void check_all_products() {
  check_products<T>(2, 2, 2);
  check_products<T>(3, 3, 3);
  check_products<T>(4, 4, 4);
  check_products<T>(2, 3, 4);
  check_products<T>(4, 2, 3);
}

TEST(MachineMatrix, SixteenBitFloats) { check_all_products<Half>(); }
TEST(MachineMatrix, ThirtyTwoBitFloats) { check_all_products<float>(); }
TEST(MachineMatrix, SixtyFourBitFloats) { check_all_products<double>(); }

}  // namespace
}  // namespace crosslane::test
