#include "algorithms/blur_plan.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <gtest/gtest.h>

#include "algorithms/planned_device.hpp"
#include "kernels/kernel.hpp"
#include "support/expected.hpp"

namespace crosslane {
namespace {

using test::device_of;
using test::fails;
using test::must;

constexpr std::array both_methods = {Method::groupshared, Method::shuffle};

BlurJob job_of(BlurFormat format, std::uint32_t radius, std::uint64_t width, std::uint64_t height) {
  const BlurView view = view_of(format, {}, width, height);
  return {format, radius, width, height, view, view};
}

TEST(BlurPlan, EveryRadiusHasItsKernels) {
  for (const BlurFormat format : all_blur_formats) {
    for (const Method method : both_methods) {
      for (std::uint32_t radius = 1; radius <= CROSSLANE_BLUR_RADIUS; ++radius) {
        const auto names = blur_kernel_names(format, radius, method);
        EXPECT_EQ(names.size(), radius <= shape_of(format).fused ? 1U : 2U);
        for (const std::string& name : names) {
          EXPECT_NE(find_kernel(kernels(), name), nullptr) << name;
        }
      }
    }
  }
}

TEST(BlurPlan, AThreadsPixelsAreOneToFourWords) {
  for (const BlurFormat format : all_blur_formats) {
    const BlurShape shape = shape_of(format);
    EXPECT_EQ(shape.thread_bytes() * 8, shape.pixels * shape.channels * shape.bits);
    EXPECT_TRUE(shape.thread_bytes() % 4 == 0 && shape.thread_bytes() <= 16) << name(format);
  }
}

TEST(BlurPlan, WeightsSumUpToOne) {
  for (const std::uint32_t radius : {1U, 4U, 32U}) {
    for (const double sigma : {0.01, 1.0, 1e6}) {
      const BlurWeights weights = make_blur_weights(radius, sigma);
      EXPECT_NEAR(std::accumulate(weights.by_age.begin(), weights.by_age.end(), 0.0), 1, 1e-6);
      for (std::uint32_t age = 0; age <= 2 * radius; ++age) {
        EXPECT_EQ(weights.by_age.at(age), weights.by_distance.at(age > radius ? age - radius : radius - age));
      }
      EXPECT_TRUE(std::all_of(weights.by_age.begin() + std::ptrdiff_t{2} * radius + 1, weights.by_age.end(),
                              [](float weight) { return weight == 0; }));
    }
  }
}

TEST(BlurPlan, OnePassCoversEveryRowOnce) {
  const DeviceInfo device = device_of(1U << 30U, 16, 1000);
  for (const std::uint64_t height : {1U, 63U, 64U, 65U, 100'000U}) {
    const BlurWork work = must(plan_blur(device, job_of(BlurFormat::f32, 4, 1000, height)));
    ASSERT_EQ(work.dispatches.size(), 1U);
    EXPECT_EQ(work.between_bytes, 0U);
    const BlurDispatch& only = work.dispatches.front();
    EXPECT_EQ(only.groups[0], 2U) << "512 pixels each";
    EXPECT_LE(only.groups[1], 1000U);
    EXPECT_GE(std::uint64_t{only.groups[1]} * only.params.rows, height);
    EXPECT_LT((std::uint64_t{only.groups[1]} - 1) * only.params.rows, height);
    EXPECT_EQ(only.params.begin, 0U);
    EXPECT_EQ(only.params.end, height);
  }
}

TEST(BlurPlan, SmallImagesAreSharedOutAmongMoreGroups) {
  const DeviceInfo device = device_of(1U << 30U, 16);
  EXPECT_EQ(must(plan_blur(device, job_of(BlurFormat::f32, 4, 4096, 4096))).dispatches[0].params.rows, 64U);
  EXPECT_EQ(must(plan_blur(device, job_of(BlurFormat::f32, 4, 256, 256))).dispatches[0].params.rows, 8U);
}

TEST(BlurPlan, BandsOfTwoPassesCoverEveryRowOnceAndFitTheirMemory) {
  for (const std::uint64_t binding : {1U << 20U, 1U << 24U, 1U << 30U}) {
    const DeviceInfo device = device_of(binding, 16, 200);
    const BlurWork work = must(plan_blur(device, job_of(BlurFormat::rgba8, 20, 500, 490)));
    EXPECT_LE(work.between_bytes, binding);
    std::uint32_t next = 0;
    ASSERT_EQ(work.dispatches.size() % 2, 0U);
    for (std::size_t i = 0; i < work.dispatches.size(); i += 2) {
      const BlurDispatch& rows = work.dispatches[i];
      const BlurDispatch& columns = work.dispatches[i + 1];
      EXPECT_EQ(rows.pass, 0U);
      EXPECT_EQ(columns.pass, 1U);
      EXPECT_EQ(rows.after_barrier, i != 0) << "memory between passes is used again";
      EXPECT_TRUE(columns.after_barrier);
      EXPECT_EQ(rows.params.begin, next);
      EXPECT_EQ(columns.params.begin, next);
      const std::uint64_t left = rows.params.end - rows.params.begin + 40;
      EXPECT_GE(std::uint64_t{rows.groups[1]} * rows.params.rows, left);
      const std::uint64_t thread_bytes = 16 * std::uint64_t{shape_of(BlurFormat::rgba8).pixels};
      EXPECT_LE(left * rows.params.threads * thread_bytes, work.between_bytes);
      EXPECT_GE(std::uint64_t{columns.groups[1]} * columns.params.rows, columns.params.end - columns.params.begin);
      EXPECT_LE(columns.groups[1], 200U);
      next = columns.params.end;
    }
    EXPECT_EQ(next, 490U);
  }
}

TEST(BlurPlan, RefusesWhatABindingDoesNotShow) {
  EXPECT_TRUE(fails(plan_blur(device_of(1U << 20U, 16), job_of(BlurFormat::f32, 4, 1024, 1024)), ErrorCode::unsupported,
                    "the input spans 4194304 bytes"));
  EXPECT_TRUE(fails(plan_blur(device_of(1U << 20U, 16), job_of(BlurFormat::r8, 20, 100'000, 4)), ErrorCode::unsupported,
                    "between two passes"));
  EXPECT_TRUE(fails(plan_blur(device_of(1U << 30U, 16, 8), job_of(BlurFormat::r8, 4, 10'000, 4)),
                    ErrorCode::unsupported, "rows of 10000 pixels"));
}

}  // namespace
}  // namespace crosslane
