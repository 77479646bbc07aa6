// What docs/blur.md says a blur of radius 4 takes by each method, counted by the wave machine.
#include <cstdint>
#include <memory>

#include <gtest/gtest.h>

#include "crosslane/blur.hpp"
#include "crosslane/machine.hpp"
#include "device/machine/device.hpp"
#include "machine/counters.hpp"
#include "support/expected.hpp"

namespace crosslane {
namespace {

using test::must;

// One full group wide, two high: each needs 16 rows for 8 rows of results, and blurs them 6 at a time.
constexpr std::uint64_t width = 512;
constexpr std::uint64_t height = 16;
constexpr std::uint64_t groups = 2;
constexpr std::uint64_t blurred_rows = groups * 18;
constexpr std::uint64_t threads = 128;
constexpr std::uint32_t lanes = 32;
constexpr std::uint64_t waves = threads / lanes;
constexpr std::uint64_t thread_bytes = 16;  // four pixels

machine::Counts count(Method method) {
  const auto device = must(machine::create_device(lanes));
  machine::Counters counters;
  must(machine::observe(*device, &counters));
  BlurOptions options;
  options.method = method;
  Blur plan = must(Blur::create(*device, options));
  const auto input = must(device->create_buffer({width * height * 4, MemoryKind::device}));
  const auto output = must(device->create_buffer({width * height * 4, MemoryKind::device}));
  const auto list = must(device->create_command_list());
  must(plan.record(*list, {{input.get(), 0}}, {{output.get(), 0}}, width, height));
  must(run(*device, *list));
  return counters.counts();
}

TEST(BlurCounts, ThroughGroupsharedMemory) {
  const machine::Counts counts = count(Method::groupshared);
  EXPECT_EQ(counts.groups, groups);
  EXPECT_EQ(counts.groupshared_writes.bytes, blurred_rows * (threads + 2) * thread_bytes)
      << "a row, and a thread's pixels beyond each of its ends";
  EXPECT_EQ(counts.groupshared_reads.bytes, blurred_rows * threads * 2 * thread_bytes) << "both neighbours' pixels";
  EXPECT_EQ(counts.barriers, blurred_rows * waves);
  EXPECT_TRUE(counts.shuffles.empty());
  EXPECT_EQ(counts.buffer_writes.bytes, width * height * 4) << "every pixel is written once";
}

TEST(BlurCounts, ByShuffles) {
  const machine::Counts counts = count(Method::shuffle);
  EXPECT_EQ(counts.groupshared_writes.accesses, 0U);
  EXPECT_EQ(counts.groupshared_reads.accesses, 0U);
  EXPECT_EQ(counts.barriers, 0U);
  ASSERT_EQ(counts.shuffles.size(), 1U);
  EXPECT_EQ(counts.shuffles.begin()->second.waves, blurred_rows * waves * 2) << "both neighbours' pixels";
  EXPECT_EQ(counts.buffer_writes.bytes, width * height * 4);
}

}  // namespace
}  // namespace crosslane
