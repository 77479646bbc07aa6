// What docs/fft.md says an 8-point transform takes by each method, counted by the wave machine.
#include <cstdint>
#include <memory>

#include <gtest/gtest.h>

#include "crosslane/fft.hpp"
#include "crosslane/machine.hpp"
#include "device/machine/device.hpp"
#include "machine/counters.hpp"
#include "support/expected.hpp"

namespace crosslane {
namespace {

using test::must;

// One full group: 64 transforms of 8 points, by 256 threads of 2 points or by 128 of 4 each.
constexpr std::uint64_t transforms = 64;
constexpr std::uint64_t size = 8;
constexpr std::uint32_t lanes = 32;

machine::Counts count(Method method) {
  const auto device = must(machine::create_device(lanes));
  machine::Counters counters;
  must(machine::observe(*device, &counters));
  FftOptions options;
  options.size = size;
  options.method = method;
  Fft plan = must(Fft::create(*device, options));
  const auto buffer = must(device->create_buffer({transforms * size * 8, MemoryKind::device}));
  const auto list = must(device->create_command_list());
  must(plan.record(*list, {{buffer.get(), 0}}, {{buffer.get(), 0}}, transforms));
  must(run(*device, *list));
  return counters.counts();
}

TEST(FftCounts, ThroughGroupsharedMemory) {
  const machine::Counts counts = count(Method::groupshared);
  EXPECT_EQ(counts.groups, 1U);
  EXPECT_EQ(counts.groupshared_writes.accesses, 16 * transforms) << "two exchanges of 8 points";
  EXPECT_EQ(counts.groupshared_reads.accesses, 16 * transforms);
  EXPECT_EQ(counts.barriers, 3 * 8U) << "by eight waves";
  EXPECT_TRUE(counts.shuffles.empty());
  EXPECT_EQ(counts.buffer_writes.accesses, size * transforms) << "every point is written once";
}

TEST(FftCounts, ByShuffles) {
  const machine::Counts counts = count(Method::shuffle);
  EXPECT_EQ(counts.groupshared_writes.accesses, 0U);
  EXPECT_EQ(counts.groupshared_reads.accesses, 0U);
  EXPECT_EQ(counts.barriers, 0U);
  std::uint64_t lanes_shuffled = 0;
  for (const auto& [kind, count] : counts.shuffles) {
    lanes_shuffled += count.lanes;
  }
  EXPECT_EQ(lanes_shuffled, 16 * transforms) << "one exchange of 8 points, and two of every second one";
}

}  // namespace
}  // namespace crosslane
