#include "job/compare.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::job {
namespace {

using crosslane::test::must;
using testing::HasSubstr;
using testing::SizeIs;

JobBuffer buffer(Format format, const std::vector<std::string>& numbers, const std::string& name = "Buffer") {
  JobBuffer made;
  made.name = name;
  made.format = format;
  std::vector<std::byte> bytes;
  for (const auto& number : numbers) {
    const auto bits = must(parse_number(number, format));
    const auto low_first = std::as_bytes(std::span(&bits, 1)).first(size_of(format));
    bytes.insert(bytes.end(), low_first.begin(), low_first.end());
  }
  made.elements = {bytes};
  return made;
}

bool one_holds(const ExpectedResult& result, Format format, const std::string& actual, const std::string& expected) {
  return compare(result, buffer(format, {actual}), buffer(format, {expected})).holds;
}

ExpectedResult ulp(std::uint64_t ulps, DenormMode denormals = DenormMode::any) {
  ExpectedResult result;
  result.rule = Rule::ulp;
  result.ulps = ulps;
  result.denormals = denormals;
  return result;
}

ExpectedResult epsilon(double distance, DenormMode denormals = DenormMode::any) {
  ExpectedResult result;
  result.rule = Rule::epsilon;
  result.epsilon = distance;
  result.denormals = denormals;
  return result;
}

TEST(Compare, ExactlyMeansEveryBit) {
  const ExpectedResult exact;
  EXPECT_TRUE(one_holds(exact, Format::float32, "nan", "nan"));
  EXPECT_FALSE(one_holds(exact, Format::float32, "0", "-0"));
  EXPECT_FALSE(one_holds(exact, Format::int64, "9007199254740992", "9007199254740993"));
  EXPECT_TRUE(one_holds(exact, Format::uint8, "255", "255"));
}

TEST(Compare, TellsTheFirstDifferencesAndCountsAll) {
  const auto verdict = compare({}, buffer(Format::int16, {"1", "2", "3", "4", "5", "6", "7", "8"}),
                               buffer(Format::int16, {"1", "-2", "3", "-4", "-5", "-6", "-7", "-8"}));
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.compared, 8U);
  EXPECT_EQ(verdict.differing, 6U);
  ASSERT_THAT(verdict.first, SizeIs(most_differences));
  EXPECT_EQ(verdict.first[0].index, 1U);
  EXPECT_EQ(number_text(verdict.first[0].actual, verdict.actual_format), "2");
  EXPECT_EQ(number_text(verdict.first[0].expected, verdict.expected_format), "-2");
  EXPECT_EQ(verdict.first[1].index, 3U);
}

TEST(Compare, FormatsMayDifferWhereEveryBitCounts) {
  const auto same_size = compare({}, buffer(Format::float32, {"1"}), buffer(Format::hex32, {"0x3f800001"}));
  EXPECT_EQ(number_text(same_size.first.at(0).actual, same_size.actual_format), "1");
  EXPECT_EQ(number_text(same_size.first.at(0).expected, same_size.expected_format), "0x3f800001");
  const auto bytes = compare({}, buffer(Format::hex16, {"0x1234", "0x5678"}), buffer(Format::hex32, {"0x56ff1234"}));
  EXPECT_EQ(bytes.compared, 4U);
  EXPECT_EQ(bytes.first.at(0).index, 2U);
}

TEST(Compare, OtherSizesAreNoMatch) {
  const auto verdict = compare({}, buffer(Format::int32, {"1", "2"}, "Out"), buffer(Format::int32, {"1"}, "Expected"));
  EXPECT_FALSE(verdict.holds);
  EXPECT_THAT(verdict.reason, HasSubstr("'Out' has 8 bytes, but 'Expected' has 4"));
  auto two = buffer(Format::int32, {"1"}, "Out");
  two.elements.push_back(two.elements.front());
  EXPECT_THAT(compare({}, two, buffer(Format::int32, {"1"}, "Expected")).reason, HasSubstr("2 times 4 bytes"));
}

TEST(Compare, ElementsOfArraysAreTold) {
  auto actual = buffer(Format::int32, {"1", "2"});
  auto expected = actual;
  actual.elements.push_back(actual.elements.front());
  expected.elements.push_back(buffer(Format::int32, {"1", "9"}).elements.front());
  const auto verdict = compare({}, actual, expected);
  EXPECT_EQ(verdict.compared, 4U);
  EXPECT_EQ(verdict.first.at(0).element, 1U);
  EXPECT_EQ(verdict.first.at(0).index, 1U);
}

TEST(Compare, UlpsAreNeighboursOnTheLineOfNumbers) {
  EXPECT_TRUE(one_holds(ulp(1), Format::float32, "1", "0x1.000002p0"));
  EXPECT_FALSE(one_holds(ulp(1), Format::float32, "1", "0x1.000004p0"));
  EXPECT_TRUE(one_holds(ulp(2), Format::float32, "1", "0x1.000004p0"));
  EXPECT_TRUE(one_holds(ulp(1), Format::float64, "2", "0x1.fffffffffffffp0"));
  EXPECT_FALSE(one_holds(ulp(0), Format::float64, "2", "0x1.fffffffffffffp0"));
  EXPECT_TRUE(one_holds(ulp(3), Format::float16, "0x3c00", "0x3c03"));
  EXPECT_FALSE(one_holds(ulp(2), Format::float16, "0x3c00", "0x3c03"));
  EXPECT_TRUE(one_holds(ulp(1), Format::float32, "inf", "0x1.fffffep127"));
  // Across zero: one step on each side.
  EXPECT_TRUE(one_holds(ulp(2, DenormMode::preserve), Format::float32, "0x1p-149", "-0x1p-149"));
  EXPECT_FALSE(one_holds(ulp(1, DenormMode::preserve), Format::float32, "0x1p-149", "-0x1p-149"));
  EXPECT_FALSE(one_holds(ulp(1000), Format::float32, "1", "-1"));
}

TEST(Compare, UlpsAreCountedAsByStepping) {
  // The oracle steps from number to number.
  for (const float start : {1.0F, -1.0F, 0x1p-126F, 3.4e38F, -0x1p-149F}) {
    float other = start;
    for (std::uint64_t steps = 0; steps < 5; ++steps) {
      JobBuffer a = buffer(Format::float32, {"0"});
      JobBuffer b = a;
      std::memcpy(a.elements[0].data(), &start, sizeof(start));
      std::memcpy(b.elements[0].data(), &other, sizeof(other));
      EXPECT_TRUE(compare(ulp(steps, DenormMode::preserve), a, b).holds) << start << ' ' << steps;
      if (steps > 0 && other != 0) {
        EXPECT_FALSE(compare(ulp(steps - 1, DenormMode::preserve), a, b).holds) << start << ' ' << steps;
      }
      other = std::nextafter(other, -std::numeric_limits<float>::infinity());
    }
  }
}

TEST(Compare, EpsilonIsADistanceThatIsNotReached) {
  EXPECT_TRUE(one_holds(epsilon(0.25), Format::float32, "1", "1.125"));
  EXPECT_FALSE(one_holds(epsilon(0.125), Format::float32, "1", "1.125"));
  EXPECT_TRUE(one_holds(epsilon(0), Format::float32, "1", "1"));
  EXPECT_TRUE(one_holds(epsilon(1e-300), Format::float64, "0", "1e-301"));
  EXPECT_TRUE(one_holds(epsilon(0.01), Format::float16, "0x3c00", "0x3c01"));
  EXPECT_FALSE(one_holds(epsilon(1), Format::float32, "inf", "1"));
  EXPECT_FALSE(one_holds(epsilon(1), Format::float32, "inf", "-inf"));
}

TEST(Compare, FloatRulesTakeAnyNanAndAnyZero) {
  for (const auto& rule : {ulp(0), epsilon(0)}) {
    EXPECT_TRUE(one_holds(rule, Format::float32, "nan", "-nan"));
    EXPECT_FALSE(one_holds(rule, Format::float32, "nan", "0"));
    EXPECT_FALSE(one_holds(rule, Format::float32, "0", "nan"));
    EXPECT_TRUE(one_holds(rule, Format::float32, "0", "-0"));
    EXPECT_TRUE(one_holds(rule, Format::float32, "inf", "inf"));
    EXPECT_TRUE(one_holds(rule, Format::float16, "0x7e00", "0x7c01"));
    EXPECT_TRUE(one_holds(rule, Format::float64, "nan", "nan"));
  }
}

TEST(Compare, DenormModesSayWhatAZeroIsWorth) {
  for (const auto mode : {DenormMode::any, DenormMode::flush_to_zero, DenormMode::preserve}) {
    const bool any = mode == DenormMode::any;
    for (const auto& rule : {ulp(10, mode), epsilon(0x1p-150, mode)}) {
      EXPECT_EQ(one_holds(rule, Format::float32, "0", "0x1p-127"), any);
      EXPECT_EQ(one_holds(rule, Format::float32, "-0", "-0x1p-127"), any);
      EXPECT_FALSE(one_holds(rule, Format::float32, "-0", "0x1p-127")) << "of the other sign";
      EXPECT_FALSE(one_holds(rule, Format::float32, "0x1p-127", "0")) << "the other way round";
      EXPECT_FALSE(one_holds(rule, Format::float32, "0", "0x1p-126")) << "the smallest normal number";
    }
    EXPECT_EQ(one_holds(ulp(0, mode), Format::float64, "0", "0x1p-1023"), any);
    EXPECT_EQ(one_holds(ulp(0, mode), Format::float16, "0", "0x0200"), any);
  }
}

TEST(Compare, ZeroToleranceIsForExpectedZeros) {
  auto rule = ulp(1);
  EXPECT_FALSE(one_holds(rule, Format::float32, "1e-6", "0"));
  rule.zero_tolerance = 1e-5;
  EXPECT_TRUE(one_holds(rule, Format::float32, "1e-6", "0"));
  EXPECT_TRUE(one_holds(rule, Format::float32, "-1e-6", "0"));
  EXPECT_FALSE(one_holds(rule, Format::float32, "1e-4", "0"));
  EXPECT_FALSE(one_holds(rule, Format::float32, "0", "1e-6"));
}

}  // namespace
}  // namespace crosslane::job
