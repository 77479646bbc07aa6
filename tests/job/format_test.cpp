#include "job/format.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::job {
namespace {

using crosslane::test::fails;
using crosslane::test::must;

struct NumberCase {
  const char* format;
  const char* text;
  std::uint64_t bits;
  const char* shown;
};

class Numbers : public testing::TestWithParam<NumberCase> {};

TEST_P(Numbers, AreReadAndShown) {
  const auto& [format_name, text, bits, shown] = GetParam();
  const auto format = format_of(format_name);
  ASSERT_TRUE(format.has_value());
  EXPECT_EQ(name(*format), format_name);
  EXPECT_EQ(must(parse_number(text, *format)), bits);
  EXPECT_EQ(number_text(bits, *format), shown);
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryFormat, Numbers,
    testing::Values(
        NumberCase{"Hex8", "0xff", 0xFF, "0xff"}, NumberCase{"Hex16", "10", 10, "0x000a"},
        NumberCase{"Hex32", "0xDEADBEEF", 0xDEADBEEF, "0xdeadbeef"},
        NumberCase{"Hex64", "0xffffffffffffffff", ~0ULL, "0xffffffffffffffff"}, NumberCase{"UInt8", "255", 255, "255"},
        NumberCase{"UInt16", "0b11", 3, "3"}, NumberCase{"UInt32", "4294967295", 0xFFFFFFFF, "4294967295"},
        NumberCase{"UInt64", "18446744073709551615", ~0ULL, "18446744073709551615"},
        NumberCase{"Int8", "-128", 0x80, "-128"}, NumberCase{"Int16", "-1", 0xFFFF, "-1"},
        NumberCase{"Int32", "-0x80000000", 0x80000000, "-2147483648"}, NumberCase{"Int32", "+7", 7, "7"},
        NumberCase{"Int32", "0o17", 15, "15"},
        NumberCase{"Int64", "-9223372036854775808", 1ULL << 63U, "-9223372036854775808"},
        NumberCase{"Float16", "0x3e00", 0x3E00, "1.5 (0x3e00)"},
        NumberCase{"Float16", "0xfc00", 0xFC00, "-inf (0xfc00)"},
        NumberCase{"Float16", "0x0001", 1, "5.9604645e-08 (0x0001)"}, NumberCase{"Float32", "0.1", 0x3DCCCCCD, "0.1"},
        NumberCase{"Float32", "-inf", 0xFF800000, "-inf"}, NumberCase{"Float32", ".inf", 0x7F800000, "inf"},
        NumberCase{"Float32", "0x1p-149", 1, "1e-45"}, NumberCase{"Float32", "nan", 0x7FC00000, "nan (0x7fc00000)"},
        NumberCase{"Float32", ".NaN", 0x7FC00000, "nan (0x7fc00000)"}, NumberCase{"Float64", "1e-320", 2024, "1e-320"},
        NumberCase{"Float64", "3", 0x4008000000000000, "3"}, NumberCase{"Depth32", "1", 0x3F800000, "1"},
        NumberCase{"Bool", "true", 1, "1"}, NumberCase{"Bool", "0", 0, "0"}));

struct BadCase {
  const char* format;
  const char* text;
  const char* why;
};

class BadNumbers : public testing::TestWithParam<BadCase> {};

TEST_P(BadNumbers, AreRefusedWithTheReason) {
  const auto& [format, text, why] = GetParam();
  const auto result = parse_number(text, format_of(format).value());
  EXPECT_TRUE(fails(result, ErrorCode::invalid_input, why));
  EXPECT_TRUE(fails(result, ErrorCode::invalid_input, format));
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, BadNumbers,
    testing::Values(BadCase{"UInt8", "256", "does not fit"}, BadCase{"Int8", "128", "does not fit"},
                    BadCase{"Int8", "-129", "does not fit"}, BadCase{"UInt32", "-1", "negative"},
                    BadCase{"Hex32", "0x100000000", "does not fit"},
                    BadCase{"UInt64", "99999999999999999999", "does not fit"}, BadCase{"Int32", "1.5", "an integer"},
                    BadCase{"Int32", "", "an integer"}, BadCase{"Int32", "-", "an integer"},
                    BadCase{"Int32", "0x", "an integer"}, BadCase{"Int32", "--1", "an integer"},
                    BadCase{"Int32", "010", "0o for octal"}, BadCase{"Float32", "1.5f", "write a number"},
                    BadCase{"Float32", "", "write a number"}, BadCase{"Float32", " 1", "write a number"},
                    BadCase{"Float32", "1e60", "too large"}, BadCase{"Float64", "1e400", "too large"},
                    BadCase{"Float16", "1.5", "as their bits"}, BadCase{"Float16", "0x10000", "does not fit"},
                    BadCase{"Bool", "yes", "an integer"}));

TEST(Format, KnowsNoOtherNames) {
  EXPECT_FALSE(format_of("Float8").has_value());
  EXPECT_FALSE(format_of("float32").has_value());
  EXPECT_FALSE(format_of("").has_value());
}

TEST(Format, OfTheShadersNumbers) {
  using Kind = spirv::ScalarInfo::Kind;
  EXPECT_EQ(format_of({Kind::boolean, 32}), Format::boolean);
  EXPECT_EQ(format_of({Kind::unsigned_integer, 8}), Format::uint8);
  EXPECT_EQ(format_of({Kind::signed_integer, 64}), Format::int64);
  EXPECT_EQ(format_of({Kind::floating, 16}), Format::float16);
}

TEST(Format, EveryHalfHasItsValue) {
  // The oracle: sign, exponent and fraction in plain arithmetic.
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double value = float_value(bits, Format::float16);
    const auto exponent = static_cast<int>((bits >> 10U) & 31U);
    const double fraction = (bits & 1023U) / 1024.0;
    const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
    if (exponent == 31) {
      EXPECT_EQ(std::isnan(value), fraction != 0) << bits;
      EXPECT_EQ(std::isinf(value), fraction == 0) << bits;
    } else {
      EXPECT_EQ(value,
                sign * (exponent == 0 ? fraction * std::pow(2.0, -14) : (1 + fraction) * std::pow(2.0, exponent - 15)))
          << bits;
    }
  }
}

TEST(Format, ReadsBytesLowestFirst) {
  const std::array bytes = {std::byte{0x34}, std::byte{0x12}, std::byte{0xFF}, std::byte{0xFF}};
  EXPECT_EQ(bits_of(bytes, Format::hex16), 0x1234U);
  EXPECT_EQ(bits_of(bytes, Format::uint8), 0x34U);
  EXPECT_EQ(bits_of(bytes, Format::uint32), 0xFFFF1234U);
}

TEST(Format, TexelsHaveTheFormatsOfNumbers) {
  EXPECT_EQ(texel_format(Format::float32, 4), (TexelFormat{TexelType::f32, 4}));
  EXPECT_EQ(texel_format(Format::hex16, 1), (TexelFormat{TexelType::u16, 1}));
  EXPECT_EQ(texel_format(Format::float64, 1), std::nullopt);
}

}  // namespace
}  // namespace crosslane::job
