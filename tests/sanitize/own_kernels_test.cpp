// The library's own kernels are right: nothing is found in them, at any wave size, by any method.
#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "crosslane/blur.hpp"
#include "crosslane/check_gtest.hpp"
#include "crosslane/compaction.hpp"
#include "crosslane/fft.hpp"
#include "crosslane/fft_axes.hpp"
#include "crosslane/machine.hpp"
#include "crosslane/reduction.hpp"
#include "crosslane/scan.hpp"
#include "support/expected.hpp"

namespace crosslane::sanitize_tests {
namespace {

using test::must;

constexpr std::uint32_t count = 70001;  // many groups, the last one not full

std::vector<std::uint32_t> numbers() {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), 1U);
  return values;
}

class OwnKernels : public testing::TestWithParam<std::uint32_t> {
 protected:
  std::unique_ptr<Device> device_ = must(machine::create_device(GetParam()));
};

constexpr std::array methods = {Method::groupshared, Method::shuffle, Method::wave_intrinsics};

TEST_P(OwnKernels, Reduce) {
  for (const auto rules : {Rules::d3d12, Rules::vulkan}) {
    const auto watching = must(DeviceCheck::begin(*device_, rules));
    for (const auto method : methods) {
      for (const auto op : {Operator::sum, Operator::minimum}) {
        const auto values = numbers();
        must(reduce<std::uint32_t>(*device_, values, op, method));
        EXPECT_TRUE(is_clean(watching->report()));
      }
    }
  }
}

TEST_P(OwnKernels, Scan) {
  for (const auto rules : {Rules::d3d12, Rules::vulkan}) {
    const auto watching = must(DeviceCheck::begin(*device_, rules));
    for (const auto method : methods) {
      for (const auto passes : {Passes::one, Passes::several}) {
        const auto values = numbers();
        must(scan<std::uint32_t>(*device_, values, {.exclusive = true, .method = method, .passes = passes}));
        EXPECT_TRUE(is_clean(watching->report()));
      }
    }
  }
}

TEST_P(OwnKernels, Compact) {
  const auto values = numbers();
  const auto bytes = std::as_bytes(std::span(values));
  for (const auto rules : {Rules::d3d12, Rules::vulkan}) {
    const auto watching = must(DeviceCheck::begin(*device_, rules));
    for (const auto method : methods) {
      for (const auto passes : {Passes::one, Passes::several}) {
        auto plan =
            must(Compaction::create(*device_, {.selection = ByComparison::of<std::uint32_t>(Comparison::less, 1700),
                                               .method = method,
                                               .passes = passes}));
        const auto input = must(device_->create_buffer({.bytes = bytes.size()}));
        const auto kept = must(device_->create_buffer({.bytes = bytes.size()}));
        const auto kept_count = must(device_->create_buffer({.bytes = 8}));
        must(upload(*device_, *input, bytes));
        const auto list = must(device_->create_command_list());
        must(plan.record(*list, {.input = {input.get()}, .kept = {kept.get()}, .count = {kept_count.get()}}, count));
        must(run(*device_, *list));
        EXPECT_TRUE(is_clean(watching->report()));
      }
    }
  }
}

// In groupshared memory, in several passes, of sizes with other small factors, and with great ones.
TEST_P(OwnKernels, Fft) {
  for (const auto rules : {Rules::d3d12, Rules::vulkan}) {
    const auto watching = must(DeviceCheck::begin(*device_, rules));
    for (const auto method : {Method::groupshared, Method::shuffle}) {
      for (const std::uint64_t size : {16U, 1024U, 8192U, 15U, 5040U, 101U}) {
        const std::vector<std::complex<float>> values(size * 3, {1, 2});
        must(fft<float>(*device_, values, {.size = size, .method = method}));
        EXPECT_TRUE(is_clean(watching->report())) << name(method) << ", " << size;
      }
    }
  }
}

// An odd number of real numbers, in one pass and by a convolution, and columns of 16-bit floats.
TEST_P(OwnKernels, FftOfOtherNumbers) {
  constexpr std::uint64_t rows = 3;
  const auto transform = [&](const FftGrid& grid, const FftOptions& options) {
    FftAxes plan = must(FftAxes::create(*device_, grid, options));
    const auto input = must(device_->create_buffer({.bytes = 8192}));
    const auto output = must(device_->create_buffer({.bytes = 8192}));
    must(upload(*device_, *input, std::vector<std::byte>(8192)));
    const auto list = must(device_->create_command_list());
    must(plan.record(*list, {input.get()}, {output.get()}));
    must(run(*device_, *list));
  };
  for (const auto rules : {Rules::d3d12, Rules::vulkan}) {
    const auto watching = must(DeviceCheck::begin(*device_, rules));
    for (const auto method : {Method::groupshared, Method::shuffle}) {
      for (const bool inverse : {false, true}) {
        for (const std::uint64_t size : {75U, 11U}) {
          transform({{rows, size}, {1}}, {.inverse = inverse, .real = true, .method = method});
          EXPECT_TRUE(is_clean(watching->report())) << name(method) << ", " << size;
        }
      }
      transform({{8, 15}, {0, 1}}, {.halves = true, .method = method});
      EXPECT_TRUE(is_clean(watching->report())) << name(method) << ", halves";
    }
  }
}

TEST_P(OwnKernels, Blur) {
  // Rows that end inside a word, several groups each way; kernels for small and for large radii, and for two passes.
  constexpr std::uint64_t width = 525;
  constexpr std::uint64_t height = 11;
  for (const auto rules : {Rules::d3d12, Rules::vulkan}) {
    const auto watching = must(DeviceCheck::begin(*device_, rules));
    for (const auto method : {Method::groupshared, Method::shuffle}) {
      for (const auto& [format, radius] :
           {std::pair{BlurFormat::f32, 4U}, {BlurFormat::r8, 9U}, {BlurFormat::rgb8, 5U}}) {
        const std::vector<std::byte> pixels(blur_row_bytes(format, width) * height, std::byte{60});
        must(blur(*device_, pixels, width,
                  {.format = format, .radius = radius, .border = BlurBorder::reflect, .method = method}));
        EXPECT_TRUE(is_clean(watching->report())) << name(format) << ' ' << name(method);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(WaveSizes, OwnKernels, testing::Values(4, 8, 16, 32, 64, 128),
                         [](const testing::TestParamInfo<std::uint32_t>& one) { return std::to_string(one.param); });

}  // namespace
}  // namespace crosslane::sanitize_tests
