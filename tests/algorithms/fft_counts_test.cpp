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

machine::Counts count(Method method, std::uint64_t points = size, std::uint64_t number = transforms) {
  const auto device = must(machine::create_device(lanes));
  machine::Counters counters;
  must(machine::observe(*device, &counters));
  FftOptions options;
  options.size = points;
  options.method = method;
  Fft plan = must(Fft::create(*device, options));
  const auto buffer = must(device->create_buffer({number * points * 8, MemoryKind::device}));
  const auto list = must(device->create_command_list());
  must(plan.record(*list, {{buffer.get(), 0}}, {{buffer.get(), 0}}, number));
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

// 100 points have small factors, and 101 are a prime.
TEST(FftCounts, SmallFactorsTakeLessThanAConvolution) {
  for (const Method method : {Method::groupshared, Method::shuffle}) {
    const machine::Counts direct = count(method, 100);
    const machine::Counts convolution = count(method, 101);
    const auto floats = [](const machine::Counts& counts) {
      return counts.instructions.at(machine::Family::floating).lanes;
    };
    EXPECT_LT(2 * floats(direct), floats(convolution));
    EXPECT_LT(2 * direct.buffer_writes.bytes, convolution.buffer_writes.bytes);
    EXPECT_LT(2 * direct.buffer_reads.bytes, convolution.buffer_reads.bytes);
    EXPECT_LT(direct.total().lanes, convolution.total().lanes);
  }
  EXPECT_LT(2 * count(Method::groupshared, 100).groupshared_writes.bytes,
            count(Method::groupshared, 101).groupshared_writes.bytes);
}

// A lane for each point, and three shuffles for the stage of radix 3 and five for the one of radix 5.
TEST(FftCounts, OfAWaveByShuffles) {
  const machine::Counts counts = count(Method::shuffle, 15, 8);
  EXPECT_EQ(counts.groupshared_writes.accesses, 0U);
  EXPECT_EQ(counts.barriers, 0U);
  std::uint64_t lanes_shuffled = 0;
  for (const auto& [kind, count] : counts.shuffles) {
    lanes_shuffled += count.lanes;
  }
  EXPECT_EQ(lanes_shuffled, 8U * 16 * (3 + 5)) << "lanes without a point take part";
}

}  // namespace
}  // namespace crosslane
