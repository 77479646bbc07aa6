#include "cli/result_comparison.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "crosslane/machine.hpp"
#include "support/expected.hpp"

namespace crosslane::cli {
namespace {

using crosslane::test::must;

class ResultComparison : public testing::Test {
 protected:
  template <typename T>
  std::unique_ptr<Buffer> buffer_of(const std::vector<T>& values) {
    auto buffer = must(device_->create_buffer({.bytes = values.size() * sizeof(T)}));
    must(upload(*device_, *buffer, std::as_bytes(std::span(values)), 0));
    return buffer;
  }

  bool same(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second) {
    return must(same_bytes(*device_, *buffer_of(first), *buffer_of(second), first.size() * 4, console_));
  }

  template <typename T>
  bool sums(const std::vector<T>& input, const std::vector<T>& first, const std::vector<T>& second, double bound,
            bool exclusive = false) {
    return must(sums_agree(*device_, *buffer_of(input), *buffer_of(first), *buffer_of(second),
                           {scalar_type_of<T>, input.size(), exclusive, bound}, console_));
  }

  std::unique_ptr<Device> device_ = must(machine::create_device());
  std::ostringstream out_;
  Console console_{out_, out_};
};

TEST_F(ResultComparison, FindsTheOneByteThatDiffers) {
  std::vector<std::uint32_t> values((16U << 20U) / 4 + 5, 7);  // two pieces
  EXPECT_TRUE(same(values, values));
  for (const std::size_t place : {std::size_t{0}, values.size() / 2, values.size() - 1}) {
    auto others = values;
    others[place] ^= 0x80000000U;
    EXPECT_FALSE(same(values, others)) << place;
  }
}

TEST_F(ResultComparison, TransformsAgreeByTheirSquares) {
  const auto agree = [&](const std::vector<float>& first, const std::vector<float>& second) {
    return must(transforms_agree(*device_, *buffer_of(first), *buffer_of(second), TransformParts::f32, first.size(),
                                 0.01, console_));
  };
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(agree({0, 0}, {0, 0}));
  EXPECT_TRUE(agree({100, 0}, {100, 0.5F})) << "small beside the others";
  EXPECT_FALSE(agree({100, 0}, {100, 1.5F}));
  EXPECT_FALSE(agree({0}, {1e-30F}));
  EXPECT_TRUE(agree({nan, 1}, {infinity, 1})) << "which of them it is depends on the order";
  EXPECT_FALSE(agree({nan, 1}, {1, 1}));
}

TEST_F(ResultComparison, LooksNoFurtherThanTold) {
  const auto first = buffer_of(std::vector<std::uint32_t>{1, 2, 3});
  const auto second = buffer_of(std::vector<std::uint32_t>{1, 2, 4});
  EXPECT_TRUE(must(same_bytes(*device_, *first, *second, 8, console_)));
  EXPECT_FALSE(must(same_bytes(*device_, *first, *second, 12, console_)));
  EXPECT_TRUE(must(same_bytes(*device_, *first, *second, 0, console_)));
}

TEST_F(ResultComparison, AllowsSumsTheErrorOfWhatTheySum) {
  // Magnitudes of the inclusive sums: 1, 3, 7.
  const std::vector<float> input = {1, -2, 4};
  EXPECT_TRUE(sums<float>(input, {1, -1, 3}, {1, -1, 3.25F}, 0.05));
  EXPECT_FALSE(sums<float>(input, {1, -1, 3}, {1, -1, 3.5F}, 0.05));
  EXPECT_FALSE(sums<float>(input, {1, -1, 3}, {1.25F, -1, 3}, 0.05)) << "an early sum has little to err by";
  EXPECT_FALSE(sums<float>(input, {1, -1, 3}, {1, -1, 3.25F}, 0.0));
  EXPECT_TRUE(sums<double>({1, -2, 4}, {1, -1, 3}, {1, -1, 3.25}, 0.05));
}

TEST_F(ResultComparison, LeavesAnExclusiveSumsOwnElementOut) {
  EXPECT_TRUE(sums<float>({4, 4, 4}, {0, 4, 8}, {0, 4, 8.25F}, 0.05, true));
  EXPECT_FALSE(sums<float>({1, 4, 4}, {0, 1, 5}, {0, 1.25F, 5}, 0.05, true));
  EXPECT_FALSE(sums<float>({4, 4, 4}, {0, 4, 8}, {0.1F, 4, 8}, 0.05, true)) << "nothing has no error";
}

TEST_F(ResultComparison, KnowsWhatIsNoNumber) {
  const float nan = std::nanf("");
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(sums<float>({1, nan, 1}, {1, nan, nan}, {1, nan, nan}, 0.05));
  EXPECT_FALSE(sums<float>({1, nan, 1}, {1, nan, nan}, {1, nan, 2}, 0.05));
  EXPECT_TRUE(sums<float>({infinity, 1}, {infinity, infinity}, {infinity, infinity}, 0.05));
  EXPECT_FALSE(sums<float>({infinity, 1}, {infinity, infinity}, {infinity, 1}, 0.05));
}

TEST_F(ResultComparison, SumsMagnitudesOverPieces) {
  constexpr std::size_t count = (16U << 20U) / 4 + 100;
  const std::vector<float> input(count, 1.0F);
  std::vector<float> first(count);
  for (std::size_t i = 0; i < count; ++i) {
    first[i] = static_cast<float>(i + 1);
  }
  auto second = first;
  second.back() += 4;  // of 4 million
  EXPECT_TRUE(sums(input, first, second, 2e-6));
  EXPECT_FALSE(sums(input, first, second, 5e-7));
}

}  // namespace
}  // namespace crosslane::cli
