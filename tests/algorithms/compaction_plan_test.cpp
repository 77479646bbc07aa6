#include "algorithms/compaction_plan.hpp"

#include <gtest/gtest.h>

#include "algorithms/planned_device.hpp"
#include "support/expected.hpp"

namespace crosslane {
namespace {

using test::device_of;
using test::must;

struct WindowCase {
  std::uint64_t binding_bytes;
  std::uint64_t alignment;
  std::uint64_t element_bytes;
};

class CompactionWindows : public testing::TestWithParam<WindowCase> {};

// The n-th element of an output is found where the kernel looks for it, inside what the window shows.
TEST_P(CompactionWindows, ShowEveryElement) {
  const auto [binding_bytes, alignment, size] = GetParam();
  const DeviceLimits limits = device_of(binding_bytes, alignment).limits;
  const std::uint32_t shift = window_shift(limits, size);
  for (const std::uint64_t first : {0U, 1U, 5U, 67U}) {
    for (const std::uint64_t count : {1U, 2U, 100U, 1000U, 1900U}) {
      const WindowedOutput output = must(plan_output(limits, {nullptr, first * size}, size, count));
      ASSERT_EQ(output.windows.size(), std::size_t{CROSSLANE_COMPACT_WINDOWS});
      for (const Binding& window : output.windows) {
        ASSERT_EQ(window.offset % alignment, 0U);
        ASSERT_GT(window.bytes, 0U);
        ASSERT_LE(window.bytes, binding_bytes);
        ASSERT_LE(window.offset + window.bytes, (first + count) * size);
      }
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t place = output.first + i;
        const Binding& window = output.windows.at(place >> shift);
        const std::uint64_t in_window = (place & ((1U << shift) - 1)) * size;
        ASSERT_EQ(window.offset + in_window, (first + i) * size);
        ASSERT_LE(in_window + size, window.bytes);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, CompactionWindows,
                         testing::Values(WindowCase{1U << 27U, 16, 4}, WindowCase{1040, 16, 4},
                                         WindowCase{4096, 256, 8}, WindowCase{4100, 4, 16},
                                         WindowCase{(std::uint64_t{1} << 32U) - 16, 16, 8}));

TEST(CompactionPlan, RefusesOutputsLargerThanAllWindows) {
  const DeviceLimits limits = device_of(1024, 16).limits;
  EXPECT_TRUE(plan_output(limits, {nullptr, 0}, 4, 2048).has_value());
  EXPECT_TRUE(test::fails(plan_output(limits, {nullptr, 0}, 4, 2049), ErrorCode::unsupported,
                          "an output of 2049 elements of 4 bytes is more than the 8192 bytes that 8 bindings"));
  EXPECT_FALSE(plan_output(limits, {nullptr, 4}, 4, 2048).has_value()) << "it begins inside of a window";
}

TEST(CompactionPlan, NamesTheKernels) {
  CompactionOptions options;
  EXPECT_EQ(compaction_kernel_name(options, Method::shuffle), "compact.flags.b4.shuffle");
  options.element_bytes = 16;
  EXPECT_EQ(compaction_kernel_name(options, Method::groupshared), "compact.flags.b16.groupshared");
  options.indices = true;
  EXPECT_EQ(compaction_kernel_name(options, Method::shuffle), "compact.flags.b4.shuffle.indices");
  options.element_bytes = 8;
  options.selection = ByComparison::of(Comparison::less, 1.0);
  EXPECT_EQ(compaction_kernel_name(options, Method::wave_intrinsics), "compact.range.b8.wave_intrinsics.indices");
  options.selection = ByFunctor{{{}, "compact.mine"}, {}};
  EXPECT_EQ(compaction_kernel_name(options, Method::shuffle), "compact.mine.shuffle.indices");
}

}  // namespace
}  // namespace crosslane
