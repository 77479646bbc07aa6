#include "report/scalar.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace crosslane::report {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <typename T>
void expect_read_back(T value) {
  std::array<std::byte, sizeof(double)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof(T));
  const Scalar scalar = scalar_from_bytes(scalar_type_of<T>, bytes);
  ASSERT_TRUE(std::holds_alternative<T>(scalar));
  EXPECT_EQ(std::get<T>(scalar), value);
}

TEST(ScalarFromBytes, ReadsEveryType) {
  expect_read_back<std::uint32_t>(4'294'967'295U);
  expect_read_back<std::int32_t>(std::numeric_limits<std::int32_t>::min());
  expect_read_back<float>(-1.5F);
  expect_read_back<std::uint64_t>(std::numeric_limits<std::uint64_t>::max());
  expect_read_back<std::int64_t>(std::numeric_limits<std::int64_t>::min());
  expect_read_back<double>(1e-300);
}

TEST(ScalarText, PrintsIntegersInFull) {
  EXPECT_EQ(text(Scalar(std::numeric_limits<std::uint64_t>::max())), "18446744073709551615");
  EXPECT_EQ(text(Scalar(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
}

TEST(ScalarText, NamesWhatIsNoNumber) {
  EXPECT_EQ(text(Scalar(not_a_number)), "NaN");
  EXPECT_EQ(text(Scalar(infinity)), "Infinity");
  EXPECT_EQ(text(Scalar(-infinity)), "-Infinity");
}

TEST(ScalarText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(text(Scalar(0.1F)), "0.1");
  EXPECT_EQ(text(Scalar(0.1)), "0.1");
  EXPECT_EQ(text(Scalar(-0.0F)), "-0");
}

TEST(ScalarText, ReadsBackForAnyFloat) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    float value{};
    std::memcpy(&value, &bits, sizeof(value));
    if (value == value && value != infinity && value != -infinity) {
      EXPECT_EQ(std::strtof(text(Scalar(value)).c_str(), nullptr), value) << bits;
    }
  }
}

TEST(ScalarAgree, HoldsForEqualIntegersOnly) {
  EXPECT_TRUE(agree(Scalar(std::int64_t{5}), Scalar(std::int64_t{5}), 0.0));
  EXPECT_FALSE(agree(Scalar(std::int64_t{5}), Scalar(std::int64_t{6}), 10.0));
}

TEST(ScalarAgree, NeedsTheSameType) { EXPECT_FALSE(agree(Scalar(5U), Scalar(5), 0.0)); }

TEST(ScalarAgree, KeepsFloatsWithinTheTolerance) {
  EXPECT_TRUE(agree(Scalar(1.0F), Scalar(1.25F), 0.25));
  EXPECT_FALSE(agree(Scalar(1.0F), Scalar(1.5F), 0.25));
  EXPECT_FALSE(agree(Scalar(1.0), Scalar(1.0 + 1e-15), 0.0));
}

TEST(ScalarAgree, TakesAnyNanForAnyOther) {
  EXPECT_TRUE(agree(Scalar(not_a_number), Scalar(-not_a_number), 0.0));
  EXPECT_FALSE(agree(Scalar(not_a_number), Scalar(1.0F), 1e30));
  EXPECT_FALSE(agree(Scalar(1.0F), Scalar(not_a_number), 1e30));
}

TEST(ScalarAgree, TellsInfinitiesApart) {
  EXPECT_TRUE(agree(Scalar(infinity), Scalar(infinity), 0.0));
  EXPECT_FALSE(agree(Scalar(infinity), Scalar(-infinity), 1e30));
}

TEST(ScalarAgree, TellsZerosApartWhereNothingIsTolerated) {
  EXPECT_FALSE(agree(Scalar(0.0F), Scalar(-0.0F), 0.0));
  EXPECT_TRUE(agree(Scalar(0.0F), Scalar(0.0F), 0.0));
}

}  // namespace
}  // namespace crosslane::report
