// Blurs of every format by every method against the oracle. Radii, borders, sizes and how images lie go round with
// them, so that pairs of them meet. CROSSLANE_LONG_TESTS=1 makes the sweep long.
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/run_blur.hpp"
#include "algorithms/slow_device.hpp"
#include "kernels/blur/blur_params.hlsli"
#include "support/sweep.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::BlurPlace;
using test::ImageSize;
using test::must;

constexpr std::array both_methods = {Method::groupshared, Method::shuffle};

/// Smaller than the radius, wider than a group, higher than its rows.
constexpr std::array sizes = {ImageSize{1, 1},   ImageSize{37, 11}, ImageSize{2, 3},   ImageSize{523, 5},
                              ImageSize{9, 150}, ImageSize{64, 16}, ImageSize{130, 7}, ImageSize{5, 1}};

constexpr std::array places = {BlurPlace{0, 0}, BlurPlace{16, 16}, BlurPlace{4, 12}, BlurPlace{8, 4}};

void blur_and_check(const BlurOptions& options, std::size_t number) {
  const ImageSize size = sizes.at(number % sizes.size());
  const std::string what =
      fmt::format("{} {}x{}, radius {}, {}, {}{}{}, number {}", name(options.format), size.width, size.height,
                  options.radius, name(options.border), name(options.method), options.premultiply ? "" : ", straight",
                  options.linear_light ? ", linear" : "", number);
  Blur plan = must(Blur::create(test::device(), options));
  EXPECT_EQ(plan.method(), options.method);
  const auto pixels = test::random_pixels(options.format, size.width * size.height, static_cast<std::uint32_t>(number));
  const auto results = test::run_blur(test::device(), plan, options.format, size, pixels,
                                      places.at(number / 2 % places.size()), places.at(number / 3 % places.size()));
  ASSERT_NO_FATAL_FAILURE(test::expect_blurred(options, size, pixels, results, what));
}

class BlurSweep : public testing::TestWithParam<BlurFormat> {};

/// Radii for one pass and for two; 4 and 16 are the last that two of the kernels take.
std::vector<std::uint32_t> radii_for(BlurFormat format) {
  if (test::compiles_slowly()) {
    return {static_cast<std::size_t>(format) % 2 == 0 ? 4U : 9U, 20};
  }
  if (test::is_slow()) {
    return {3, 17};
  }
  if (!test::long_run()) {
    return {1, 4, 7, 16, 32};
  }
  std::vector<std::uint32_t> all(CROSSLANE_BLUR_RADIUS);
  std::iota(all.begin(), all.end(), 1U);
  return all;
}

TEST_P(BlurSweep, RadiiBordersAndSizes) {
  const auto turns = test::extent<std::size_t>(1, sizes.size());
  auto number = static_cast<std::size_t>(GetParam());
  for (const std::uint32_t radius : radii_for(GetParam())) {
    for (const Method method : both_methods) {
      for (std::size_t turn = 0; turn < turns; ++turn, ++number) {
        if (test::compiles_slowly() && (number + radius) % 2 == 0) {
          continue;  // one method per radius
        }
        BlurOptions options;
        options.format = GetParam();
        options.radius = radius;
        options.method = method;
        options.border = all_blur_borders.at(number % all_blur_borders.size());
        options.border_value = {1, 0, 2, 3};
        options.premultiply = number / 5 % 2 == 0;
        options.linear_light = test::layout_of(options.format).unorm && number / 3 % 3 == 0;
        ASSERT_NO_FATAL_FAILURE(blur_and_check(options, number));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, BlurSweep, testing::ValuesIn(all_blur_formats),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
}  // namespace crosslane
