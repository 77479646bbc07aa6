#include "crosslane/blur.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/blur_plan.hpp"
#include "algorithms/limited_device.hpp"
#include "algorithms/run_blur.hpp"
#include "algorithms/slow_device.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::expect_blurred;
using test::fails;
using test::ImageSize;
using test::must;
using test::Numbers;
using test::random_pixels;

constexpr std::array both_methods = {Method::groupshared, Method::shuffle};

std::vector<std::byte> bytes_of_floats(const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> blurred(const BlurOptions& options, const ImageSize& size, const std::vector<std::byte>& pixels,
                               Device& device = test::device()) {
  Blur plan = must(Blur::create(device, options));
  return test::run_blur(device, plan, options.format, size, pixels);
}

TEST(BlurOracle, IsTheSumOverASquare) {
  BlurOptions options;
  options.radius = 2;
  options.border = BlurBorder::wrap;
  const ImageSize size{4, 3};
  const Numbers image = test::numbers_of(options.format, size, random_pixels(options.format, 12, 1));
  const Numbers found = test::exact_blur(image, options);
  const double sigma = default_blur_sigma(2);
  EXPECT_DOUBLE_EQ(sigma, 1.1);
  for (std::size_t y = 0; y < size.height; ++y) {
    for (std::size_t x = 0; x < size.width; ++x) {
      double sum = 0;
      double weights = 0;
      for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
          const double weight = std::exp(-(dx * dx + dy * dy) / (2 * sigma * sigma));
          sum += weight * image.at((x + 4 + static_cast<std::size_t>(dx + 4)) % 4,
                                   (y + 3 + static_cast<std::size_t>(dy + 3)) % 3, 0);
          weights += weight;
        }
      }
      EXPECT_NEAR(found.at(x, y, 0), sum / weights, 1e-15);
    }
  }
}

TEST(BlurOracle, KnowsSciPysBorders) {
  // Lines of 3 from place -4 to 7.
  const auto line = [](BlurBorder border) {
    std::string text;
    for (std::ptrdiff_t place = -4; place < 7; ++place) {
      const std::ptrdiff_t source = test::source_of(place, 3, border);
      text += source < 0 ? '.' : "abc"[source];
    }
    return text;
  };
  EXPECT_EQ(line(BlurBorder::clamp), "aaaaabccccc");
  EXPECT_EQ(line(BlurBorder::mirror), "abcbabcbabc");
  EXPECT_EQ(line(BlurBorder::reflect), "ccbaabccbaa");
  EXPECT_EQ(line(BlurBorder::wrap), "cabcabcabca");
  EXPECT_EQ(line(BlurBorder::constant), "....abc....");
  EXPECT_EQ(test::source_of(5, 1, BlurBorder::mirror), 0);
}

TEST(Blur, AnImpulseBecomesTheWeights) {
  constexpr std::size_t side = 21;
  for (const Method method : both_methods) {
    for (const std::uint32_t radius : test::compiles_slowly() ? std::vector{20U} : std::vector{3U, 10U, 20U}) {
      BlurOptions options;
      options.radius = radius;
      options.sigma = 2;
      options.method = method;
      std::vector<float> image(side * side);
      image[10 * side + 10] = 1;
      const auto found =
          test::numbers_of(options.format, {side, side}, blurred(options, {side, side}, bytes_of_floats(image)));
      const auto weights = test::gaussian(options);
      double sum = 0;
      for (std::size_t y = 0; y < side; ++y) {
        for (std::size_t x = 0; x < side; ++x) {
          const auto weight = [&](std::size_t at) {
            const std::size_t place = at + radius - 10;
            return place < weights.size() ? weights[place] : 0;
          };
          EXPECT_NEAR(found.at(x, y, 0), weight(x) * weight(y), 1e-7) << x << ' ' << y;
          sum += found.at(x, y, 0);
        }
      }
      EXPECT_NEAR(sum, 1, 1e-5) << "weights sum up to 1";
    }
  }
}

TEST(Blur, WhatIsNotFiniteReachesTheRadiusAndNoFurther) {
  constexpr std::size_t width = 80;
  constexpr std::size_t height = 70;
  constexpr std::size_t centre = 35;
  for (const Method method : both_methods) {
    // Kernels for 4, for 16, for two passes.
    for (const std::uint32_t radius : test::compiles_slowly() ? std::vector{17U} : std::vector{1U, 5U, 17U}) {
      BlurOptions options;
      options.radius = radius;
      options.method = method;
      Blur plan = must(Blur::create(test::device(), options));
      for (const float value : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        std::vector<float> image(width * height, 1);
        image[centre * width + centre] = value;
        const auto pixels = bytes_of_floats(image);
        const auto found =
            test::numbers_of(options.format, {width, height},
                             test::run_blur(test::device(), plan, options.format, {width, height}, pixels));
        const auto is_near = [&](std::size_t at) { return at + radius >= centre && at <= centre + radius; };
        for (std::size_t y = 0; y < height; ++y) {
          for (std::size_t x = 0; x < width; ++x) {
            ASSERT_EQ(std::isfinite(found.at(x, y, 0)), !(is_near(x) && is_near(y)))
                << x << ' ' << y << " radius " << radius << ' ' << name(method);
          }
        }
      }
    }
  }
}

TEST(Blur, OpaqueColoursDoNotMixWithWhatIsTransparent) {
  // Opaque red beside transparent green.
  constexpr std::size_t width = 16;
  std::vector<std::byte> image;
  for (std::size_t x = 0; x < width; ++x) {
    const bool is_red = x < width / 2;
    for (const int channel : {is_red ? 255 : 0, is_red ? 0 : 255, 0, is_red ? 255 : 0}) {
      image.push_back(static_cast<std::byte>(channel));
    }
  }
  for (const Method method : both_methods) {
    BlurOptions options;
    options.format = BlurFormat::rgba8;
    options.radius = test::compiles_slowly() ? 5 : 4;
    options.method = method;
    const auto premultiplied = test::numbers_of(options.format, {width, 1}, blurred(options, {width, 1}, image));
    options.premultiply = false;
    const auto straight = test::numbers_of(options.format, {width, 1}, blurred(options, {width, 1}, image));
    for (std::size_t x = 0; x < width; ++x) {
      EXPECT_EQ(premultiplied.at(x, 0, 0), x < width / 2 + options.radius ? 255 : 0) << x;
      EXPECT_EQ(premultiplied.at(x, 0, 1), 0) << x;
      EXPECT_EQ(premultiplied.at(x, 0, 3), straight.at(x, 0, 3)) << x;
    }
    EXPECT_GT(straight.at(8, 0, 1), 100);
  }
}

TEST(Blur, BothMethodsGiveTheSameCodes) {
  for (const std::uint32_t radius : test::compiles_slowly() ? std::vector{9U} : std::vector{4U, 9U}) {
    BlurOptions options;
    options.format = BlurFormat::rgba8;
    options.radius = radius;
    const ImageSize size{61, 23};
    const auto image = random_pixels(options.format, size.width * size.height, 11);
    options.method = Method::groupshared;
    const auto first = blurred(options, size, image);
    options.method = Method::shuffle;
    const auto second = blurred(options, size, image);
    for (std::size_t i = 0; i < first.size(); ++i) {
      ASSERT_LE(std::abs(std::to_integer<int>(first[i]) - std::to_integer<int>(second[i])), 1) << i;
    }
  }
}

TEST(Blur, TwoPassesGoByBandsWhereMemoryIsScarce) {
  // Between two passes a row of 20 pixels takes 512 floats: 30 rows fit 64 KiB, and 8 of them are a band at this
  // radius.
  test::LimitedDevice device(test::device(), 1U << 17U, 65535);
  BlurOptions options;
  options.radius = 24;
  options.border = BlurBorder::reflect;
  const ImageSize size{20, 45};
  const BlurJob job{options.format, options.radius, size.width, size.height, {0, 80, 3600}, {0, 80, 3600}};
  ASSERT_GT(must(plan_blur(device.info(), job)).dispatches.size(), 4U) << "several bands";
  const auto image = random_pixels(options.format, size.width * size.height, 2);
  expect_blurred(options, size, image, blurred(options, size, image, device), "bands");
}

TEST(Blur, OnePlanServesImagesOfAllSizesAndPlaces) {
  BlurOptions options;
  options.radius = 17;  // memory between passes grows
  Blur plan = must(Blur::create(test::device(), options));
  EXPECT_EQ(plan.passes(), 2U);
  for (const ImageSize size : {ImageSize{3, 2}, {40, 30}, {7, 9}}) {
    const auto image = random_pixels(options.format, size.width * size.height, 4);
    const auto results =
        test::run_blur(test::device(), plan, options.format, size, image, {4, 8}, {size.width == 7 ? 16U : 4U, 4});
    expect_blurred(options, size, image, results, "one plan");
  }
}

TEST(Blur, TheOneCallFormTakesRowsOfAnyBytes) {
  BlurOptions options;
  options.format = BlurFormat::rgb8;
  options.radius = 5;
  const ImageSize size{7, 5};
  const auto image = random_pixels(options.format, size.width * size.height, 8);
  expect_blurred(options, size, image, must(blur(test::device(), image, size.width, options)), "one call");
  EXPECT_TRUE(fails(blur(test::device(), std::span(image).first(50), size.width, options), ErrorCode::invalid_argument,
                    "50 bytes are no whole rows of 7 pixels of format rgb8, 21 bytes each"));
  EXPECT_TRUE(fails(blur(test::device(), {}, 7, options), ErrorCode::invalid_argument, "no whole rows"));
  EXPECT_TRUE(fails(blur(test::device(), image, 0, options), ErrorCode::invalid_argument, "no whole rows"));
}

TEST(Blur, RefusesWhatCannotBe) {
  const auto expect_refused = [](const BlurOptions& options, ErrorCode code, std::string_view part) {
    EXPECT_TRUE(fails(Blur::create(test::device(), options), code, part));
  };
  BlurOptions options;
  for (const std::uint32_t radius : {0U, 33U, ~0U}) {
    options.radius = radius;
    expect_refused(options, ErrorCode::invalid_argument, fmt::format("from 1 to 32 pixels, not {}", radius));
  }
  options = {};
  for (const double sigma : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    options.sigma = sigma;
    expect_refused(options, ErrorCode::invalid_argument, "a number of pixels greater than 0");
  }
  options = {};
  options.linear_light = true;
  expect_refused(options, ErrorCode::invalid_argument, "only integers can be sRGB");
  options = {};
  options.format = BlurFormat::r8;
  options.border = BlurBorder::constant;
  for (const float value : {-1.0F, 256.0F, std::numeric_limits<float>::quiet_NaN()}) {
    options.border_value = {value};
    expect_refused(options, ErrorCode::invalid_argument, "channels of r8 go from 0 to 255");
  }
  options = {};
  options.method = Method::wave_intrinsics;
  expect_refused(options, ErrorCode::unsupported, "use method shuffle or groupshared");
}

TEST(Blur, RefusesImagesThatDoNotFit) {
  Blur plan = must(Blur::create(test::device(), {}));
  const auto buffer = must(test::device().create_buffer({4096, MemoryKind::device}));
  const auto list = must(test::device().create_command_list());
  const auto record = [&](const BlurImage& from, const BlurImage& to, std::uint64_t width, std::uint64_t height) {
    return plan.record(*list, from, to, width, height);
  };
  const BlurImage low{{buffer.get(), 0}};
  const BlurImage high{{buffer.get(), 2048}};
  EXPECT_TRUE(record(low, high, 16, 32).has_value());
  EXPECT_TRUE(fails(record(low, high, 16, 33), ErrorCode::invalid_argument, "output range"));
  EXPECT_TRUE(fails(record(low, low, 4, 4), ErrorCode::invalid_argument, "overlap"));
  EXPECT_TRUE(fails(record(low, {{buffer.get(), 60}}, 4, 4), ErrorCode::invalid_argument, "overlap"));
  EXPECT_TRUE(fails(record(low, high, 0, 4), ErrorCode::invalid_argument, "0 × 4 pixels"));
  EXPECT_TRUE(fails(record(low, high, 4, 0), ErrorCode::invalid_argument, "4 × 0 pixels"));
  EXPECT_TRUE(fails(record(low, high, 1U << 28U, 1), ErrorCode::unsupported, "not supported"));
  EXPECT_TRUE(fails(record(low, {{buffer.get(), 2050}}, 4, 4), ErrorCode::invalid_argument, "multiples of 4"));
  EXPECT_TRUE(fails(record({{buffer.get(), 0}, 18}, high, 4, 4), ErrorCode::invalid_argument, "multiples of 4"));
  EXPECT_TRUE(fails(record({{buffer.get(), 0}, 12}, high, 4, 4), ErrorCode::invalid_argument, "at least the 16"));
  EXPECT_TRUE(fails(record({{buffer.get(), 0}, ~std::uint64_t{3}}, high, 4, 4), ErrorCode::invalid_argument, "2^32"));
}

TEST(Blur, AutomaticTakesWhatTheDeviceHas) {
  test::LimitedDevice device(test::device(), 1U << 27U, 65535);
  device.features().wave_shuffle = false;
  const Blur plan = must(Blur::create(device, {}));
  EXPECT_EQ(plan.method(), Method::groupshared);
  BlurOptions options;
  options.method = Method::shuffle;
  EXPECT_TRUE(fails(Blur::create(device, options), ErrorCode::unsupported, "use groupshared"));
}

}  // namespace
}  // namespace crosslane
