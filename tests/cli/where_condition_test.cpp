#include "cli/where_condition.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::cli {
namespace {

using crosslane::test::fails;
using crosslane::test::must;

template <typename T>
void expect_read(std::string_view text, Comparison comparison, T operand) {
  const auto condition = must(parse_condition(text, scalar_type_of<T>));
  const auto expected = ByComparison::of(comparison, operand);
  EXPECT_EQ(condition.type, expected.type) << text;
  EXPECT_EQ(condition.comparison, comparison) << text;
  EXPECT_EQ(condition.operand, expected.operand) << text;
}

void expect_refused(const std::string& text, ScalarType type, const std::string& why) {
  const auto condition = parse_condition(text, type);
  EXPECT_TRUE(fails(condition, ErrorCode::invalid_argument, why)) << text;
  EXPECT_TRUE(fails(condition, ErrorCode::invalid_argument, "--where \"" + text + "\"")) << text;
}

TEST(WhereCondition, KnowsItsWordsAndSigns) {
  expect_read("nonzero", Comparison::not_equal, std::uint32_t{0});
  expect_read("positive", Comparison::greater, 0.0);
  expect_read("== 5", Comparison::equal, std::int32_t{5});
  expect_read("!= 5", Comparison::not_equal, std::int64_t{5});
  expect_read("< 5", Comparison::less, std::uint64_t{5});
  expect_read("<= 5", Comparison::less_equal, 5.0F);
  expect_read("> 5", Comparison::greater, 5.0);
  expect_read(">= 5", Comparison::greater_equal, std::uint32_t{5});
}

TEST(WhereCondition, PassesOverBlanks) {
  for (const std::string_view text : {"nonzero", "nonzero ", " nonzero", "\tnonzero\t"}) {
    expect_read(text, Comparison::not_equal, 0.0F);
  }
  for (const std::string_view text : {">5", "> 5", " >  5 ", ">\t5"}) {
    expect_read(text, Comparison::greater, std::int32_t{5});
  }
}

TEST(WhereCondition, ReadsWholeNumbersForIntegers) {
  expect_read("> +5", Comparison::greater, std::uint32_t{5});
  expect_read("> -5", Comparison::greater, std::int32_t{-5});
  expect_read("> 005", Comparison::greater, std::uint64_t{5});
  expect_read(">= -0", Comparison::greater_equal, std::uint32_t{0});
  expect_read(">= -0", Comparison::greater_equal, std::int64_t{0});
  expect_read("== -9223372036854775808", Comparison::equal, std::numeric_limits<std::int64_t>::min());
  expect_read("== 18446744073709551615", Comparison::equal, std::numeric_limits<std::uint64_t>::max());
  for (const std::string number : {"1.0", "1e2", "inf", "nan"}) {
    expect_refused("> " + number, ScalarType::i32,
                   number + " is no whole number in decimal digits, as elements of type");
  }
  expect_refused("> -1", ScalarType::u32, "-1 is beyond the values of u32: write a number from 0 to 4294967295");
  expect_refused("> 2147483648", ScalarType::i32, "write a number from -2147483648 to 2147483647");
  expect_refused("> 99999999999999999999", ScalarType::u64, "is beyond the values of u64");
}

TEST(WhereCondition, RoundsFloatsToTheNearest) {
  expect_read("> 0.1", Comparison::greater, 0.1F);
  expect_read("> 16777217", Comparison::greater, 16777216.0F);
  expect_read("> .5", Comparison::greater, 0.5);
  expect_read("> +5.", Comparison::greater, 5.0);
  expect_read("> -1E2", Comparison::greater, -100.0F);
  expect_read("> -0", Comparison::greater, -0.0F);
  expect_read("> 1e-45", Comparison::greater, std::numeric_limits<float>::denorm_min());
  expect_read("< inf", Comparison::less, std::numeric_limits<float>::infinity());
  expect_read("> -Infinity", Comparison::greater, -std::numeric_limits<double>::infinity());
  expect_read("!= NaN", Comparison::not_equal, std::numeric_limits<float>::quiet_NaN());
}

TEST(WhereCondition, RefusesFloatsBeyondTheRange) {
  expect_refused("> 1e-50", ScalarType::f32, "1e-50 is too small for f32, whose smallest positive value is 1e-45");
  expect_refused("> -1e-50", ScalarType::f32, "-1e-50 is too small for f32");
  expect_refused("> 1e39", ScalarType::f32, "1e39 is too large for f32, whose largest value is 3.4028235e+38");
  expect_refused("> -1e39", ScalarType::f32, "-1e39 is too large for f32");
  expect_refused("> 1e-400", ScalarType::f64, "1e-400 is too small for f64, whose smallest positive value is 5e-324");
  expect_refused("> 1e400", ScalarType::f64, "1e400 is too large for f64");
  expect_refused("> 1e400", ScalarType::f32, "1e400 is too large for f32");
}

TEST(WhereCondition, SaysWhatIsNoNumber) {
  for (const auto type : {ScalarType::u32, ScalarType::f64}) {
    expect_refused(">", type, "no number follows the sign: add one");
    expect_refused("== ", type, "no number follows the sign: add one");
    for (const std::string number : {"0x10", "nan(1)", "five", "5 6", "+-5", "--5", "+", "1e", "5x", "=5 "}) {
      const std::string shown = number == "=5 " ? "=5" : number;
      expect_refused("> " + number, type, shown + " is no decimal number: write one, as > 5");
    }
  }
}

TEST(WhereCondition, SaysWhatIsNoComparison) {
  for (const std::string sign : {"<>", "=", "=>", "===", "!", "<<"}) {
    expect_refused(sign + " 5", ScalarType::f32, sign + " is no comparison: use one of == != < <= > >=");
  }
  for (const std::string text : {"", " ", "5", "large", "nonzeros", "x > 5"}) {
    expect_refused(text, ScalarType::f32, " is no condition: use nonzero, positive, or one of");
  }
}

}  // namespace
}  // namespace crosslane::cli
