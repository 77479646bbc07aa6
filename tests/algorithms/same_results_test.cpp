// One body on every device: the wave machine with waves of 32 lanes, the device of the tests, and Vulkan's first one
// beside it where that is another. What is exact (integers, minima and maxima, compactions, reproducible sums) has the
// same bytes everywhere; other floats differ by so many ULPs of the largest result.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/run_blur.hpp"
#include "algorithms/run_compaction.hpp"
#include "algorithms/run_fft.hpp"
#include "algorithms/run_reduction.hpp"
#include "algorithms/run_scan.hpp"
#include "crosslane/machine.hpp"
#include "device/gather.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::must;
using Bytes = std::vector<std::byte>;

struct Work {
  std::string name;
  std::function<Bytes(Device&)> run;
  double ulps = 0;  ///< of the largest result, all of which are f32; 0: the same bytes
};

constexpr std::size_t element_count = 50'003;  // several tiles, and the last one not whole

template <typename T>
Bytes bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

// Sums of these do not cancel, so that ULPs of the result mean something.
template <typename T>
std::vector<T> values_for(Operator op) {
  auto values = test::random_values<T>(element_count);
  if (std::is_floating_point_v<T> && op == Operator::sum) {
    std::ranges::transform(values, values.begin(), [](T value) { return value < 0 ? static_cast<T>(-value) : value; });
  }
  return values;
}

template <typename T>
Work reduction(Operator op, Method method, bool reproducible = false) {
  const bool rounds = std::is_floating_point_v<T> && op == Operator::sum && !reproducible;
  return {fmt::format("reduce_{}_{}_{}{}", name(scalar_type_of<T>), name(op), name(method),
                      reproducible ? "_reproducible" : ""),
          [=](Device& device) {
            ReductionOptions options;
            options.op = op;
            options.method = method;
            options.reproducible = reproducible;
            test::Reducer<T> reduce(device, options);
            return bytes_of(std::vector{reduce(values_for<T>(op))});
          },
          rounds ? 16.0 : 0.0};
}

template <typename T>
Work scan(Operator op, Method method, bool exclusive) {
  const bool rounds = std::is_floating_point_v<T> && op == Operator::sum;
  return {
      fmt::format("scan_{}_{}_{}{}", name(scalar_type_of<T>), name(op), name(method), exclusive ? "_exclusive" : ""),
      [=](Device& device) {
        test::Scanner<T> scan(device, {.op = op, .exclusive = exclusive, .method = method});
        return bytes_of(scan(values_for<T>(op)));
      },
      rounds ? 16.0 : 0.0};
}

Work compaction(Method method) {
  return {fmt::format("compact_f32_{}", name(method)), [=](Device& device) {
            const auto values = test::random_values<float>(element_count);
            test::Compactor<float> compact(
                device, {.selection = ByComparison::of(Comparison::greater, 0.25F), .method = method});
            return bytes_of(compact(values, {}).kept);
          }};
}

Work transform(Method method) {
  return {fmt::format("fft_f32_{}", name(method)),
          [=](Device& device) {
            constexpr std::size_t points = 1024;
            const auto parts = test::random_values<float>(2 * points);
            std::vector<std::complex<float>> values(points);
            for (std::size_t i = 0; i < points; ++i) {
              values[i] = {parts[2 * i], parts[2 * i + 1]};
            }
            test::Transformer<float> fft(device, {.size = points, .method = method});
            return bytes_of(fft(values));
          },
          8};
}

Work blur(Method method) {
  return {fmt::format("blur_f32_{}", name(method)),
          [=](Device& device) {
            constexpr test::ImageSize size{150, 70};
            auto plan = must(Blur::create(device, {.format = BlurFormat::f32, .radius = 4, .method = method}));
            const auto pixels = test::random_pixels(BlurFormat::f32, size.width * size.height, 1);
            return test::run_blur(device, plan, BlurFormat::f32, size, pixels);
          },
          8};
}

std::vector<Work> all_work() {
  std::vector<Work> all;
  for (const Method method : all_methods) {
    all.push_back(reduction<std::uint32_t>(Operator::sum, method));
    all.push_back(reduction<float>(Operator::minimum, method));
    all.push_back(reduction<float>(Operator::sum, method));
    all.push_back(reduction<float>(Operator::sum, method, true));
    all.push_back(scan<std::uint32_t>(Operator::sum, method, true));
    all.push_back(scan<std::int32_t>(Operator::maximum, method, false));
    all.push_back(scan<float>(Operator::sum, method, false));
    all.push_back(compaction(method));
  }
  for (const Method method : {Method::groupshared, Method::shuffle}) {
    all.push_back(transform(method));
    all.push_back(blur(method));
  }
  return all;
}

Device& machine() {
  static const auto made = must(machine::create_device());
  return *made;
}

// Null where Vulkan has no device, or the device of the tests is one of its own.
Device* vulkan_beside() {
  static const auto made = []() -> std::unique_ptr<Device> {
    const auto devices = gather_devices();
    const auto found = devices.choose("vulkan:0");
    if (!test::device().info().id.starts_with("d3d12") || !found) {
      return nullptr;
    }
    return must(devices.open(*found));
  }();
  return made.get();
}

void expect_same(const Work& work, const Bytes& expected, const Bytes& found, const DeviceInfo& device) {
  ASSERT_EQ(found.size(), expected.size()) << device.id;
  if (work.ulps == 0) {
    EXPECT_TRUE(found == expected) << work.name << " has other bytes on " << device.id << " than on the wave machine";
    return;
  }
  const auto floats = [](const Bytes& bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  };
  const auto wanted = floats(expected);
  const auto given = floats(found);
  double largest = 0;
  double furthest = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    largest = std::max(largest, std::abs(double{wanted[i]}));
    const double off = std::abs(double{given[i]} - double{wanted[i]});
    where = off > furthest ? i : where;
    furthest = std::max(furthest, off);
    ASSERT_TRUE(std::isfinite(given[i])) << work.name << ", result " << i << " on " << device.id;
  }
  const double ulp = largest * static_cast<double>(std::numeric_limits<float>::epsilon());
  EXPECT_LE(furthest, work.ulps * ulp) << work.name << ", result " << where << " on " << device.id << " is "
                                       << given[where] << ", not " << wanted[where];
}

class SameResults : public testing::TestWithParam<Work> {};

TEST_P(SameResults, Everywhere) {
  const Work& work = GetParam();
  const Bytes expected = work.run(machine());
  ASSERT_FALSE(expected.empty());
  expect_same(work, expected, work.run(test::device()), test::device().info());
  if (Device* const vulkan = vulkan_beside()) {
    expect_same(work, expected, work.run(*vulkan), vulkan->info());
  }
}

INSTANTIATE_TEST_SUITE_P(Of, SameResults, testing::ValuesIn(all_work()),
                         [](const testing::TestParamInfo<Work>& tested) { return tested.param.name; });

TEST(SameResultsBesideDirect3D, VulkanIsThere) {
  if (!test::device().info().id.starts_with("d3d12")) {
    GTEST_SKIP() << "the device of the tests is " << test::device().info().id;
  }
  EXPECT_NE(vulkan_beside(), nullptr) << "the third of the devices to compare";
}

}  // namespace
}  // namespace crosslane
