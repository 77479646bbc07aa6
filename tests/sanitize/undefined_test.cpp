// Undefined values: reported where they matter, and only there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sanitize/check_shader.hpp"

namespace crosslane::sanitize_tests {
namespace {

using test::check_shader;
using test::faults;
using testing::Contains;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(LaneOutOfRange, CountsWhereTheValueIsUsed) {
  EXPECT_THAT(faults({.body = "words[i] = subgroupShuffleDown(i, 1);"}),
              UnorderedElementsAre("lane-out-of-range error"));
  EXPECT_THAT(faults({.body = "uint x = subgroupShuffleDown(i, 1); words[i] = lane + 1 < W ? x : 0;"}), IsEmpty());
  EXPECT_THAT(faults({.body = "uint x = i; for (uint d = W / 2; d > 0; d /= 2) x += subgroupShuffleDown(x, d);\n"
                              "if (lane == 0) words[i] = x;"}),
              IsEmpty());
  EXPECT_THAT(faults({.body = "words[i] = subgroupShuffle(i, 31);", .wave_sizes = {32, 64}}), IsEmpty());
  EXPECT_THAT(faults({.body = "words[i] = subgroupShuffle(i, 31);", .wave_sizes = {16}}),
              UnorderedElementsAre("lane-out-of-range error", "oversized-shuffle note"));
}

TEST(LaneInactive, InABranch) {
  EXPECT_THAT(faults({.body = "if (lane % 2 == 0) words[i] = subgroupShuffleXor(i, 1);"}),
              UnorderedElementsAre("lane-inactive error"));
  EXPECT_THAT(faults({.body = "uint x = subgroupShuffleXor(i, 1); if (lane % 2 == 0) words[i] = x;"}), IsEmpty());
}

TEST(LaneInactive, InAPartlyFilledWave) {
  EXPECT_THAT(faults({.body = "words[i] = subgroupShuffleDown(i, 1);", .size = "local_size_x = 3", .wave_sizes = {4}}),
              UnorderedElementsAre("lane-inactive error"));
}

TEST(UninitializedRead, OfGroupsharedMemory) {
  EXPECT_THAT(faults({.body = "if (i < 32) tile[i] = i; barrier(); words[i] = tile[i];"}),
              UnorderedElementsAre("uninitialized-read error"));
  EXPECT_THAT(faults({.body = "if (i < 32) tile[i] = i; barrier(); uint x = tile[i]; if (i < 32) words[i] = x;"}),
              IsEmpty());
  EXPECT_THAT(faults({.body = "atomicAdd(tile[0], 1); barrier(); words[i] = tile[0];"}),
              UnorderedElementsAre("uninitialized-read error"));
}

TEST(UninitializedRead, TravelsThroughMemoryAndArithmetic) {
  EXPECT_THAT(faults({.body = "tile[i] = tile[i + 64] * 3 + 1; barrier(); words[i] = tile[i] & 0;"}), IsEmpty());
  const auto report = check_shader({.body = "tile[i] = tile[i + 64] * 3 + 1; barrier();\nwords[i] = tile[i];"});
  ASSERT_EQ(report.findings.size(), 1U) << describe(report);
  ASSERT_EQ(report.findings[0].locations.size(), 2U);
  EXPECT_EQ(report.findings[0].locations[0].line + 1, report.findings[0].locations[1].line) << "origin, then use";
}

TEST(UninitializedRead, OfVariables) {
  EXPECT_THAT(faults({.body = "uint x; if (i > 7) x = i; words[i] = x;"}),
              UnorderedElementsAre("uninitialized-read error"));
  EXPECT_THAT(faults({.body = "uint x; if (i > 7) x = i; if (i > 9) words[i] = x;"}), IsEmpty());
  EXPECT_THAT(faults({.body = "uint a[4]; a[i % 2] = i; words[i] = a[i % 4];"}),
              UnorderedElementsAre("uninitialized-read error"));
}

TEST(UninitializedRead, InABranch) {
  EXPECT_THAT(faults({.body = "if (tile[i] > 3) words[i] = 1;"}), UnorderedElementsAre("uninitialized-read error"));
}

TEST(UninitializedRead, AsAnAddressOrInAnAtomic) {
  EXPECT_THAT(faults({.body = "words[tile[i] % 64 + i * 0] = 1;"}), Contains("uninitialized-read error"));
  EXPECT_THAT(faults({.body = "atomicAdd(words[0], tile[i]);"}), UnorderedElementsAre("uninitialized-read error"));
}

TEST(BufferOutOfBounds, ReadsAndWrites) {
  const std::string read = "uint x = words[i + 32]; more[i] = x;";
  EXPECT_THAT(faults({.body = read, .words = 64}), UnorderedElementsAre("buffer-out-of-bounds error"));
  EXPECT_THAT(faults({.body = read, .rules = Rules::d3d12, .words = 64}),
              UnorderedElementsAre("buffer-out-of-bounds note"));
  EXPECT_THAT(faults({.body = "words[i + 32] = i;", .words = 64}), UnorderedElementsAre("buffer-out-of-bounds error"));
  EXPECT_THAT(faults({.body = "if (i + 32 < words.length()) words[i + 32] = i;", .words = 64}), IsEmpty());
}

TEST(BufferOutOfBounds, GroupsharedArraysByTheirOwnSize) {
  EXPECT_THAT(faults({.body = "first[i] = i; second[i] = 0; barrier(); words[i] = first[i + 1];",
                      .declarations = "shared uint first[64]; shared uint second[64];"}),
              UnorderedElementsAre("buffer-out-of-bounds error"));
}

TEST(UndefinedArithmetic, ShiftsAndDivisions) {
  EXPECT_THAT(faults({.body = "words[i] = 1u << i;"}), UnorderedElementsAre("undefined-arithmetic error"));
  EXPECT_THAT(faults({.body = "words[i] = 1u << (i & 31);"}), IsEmpty());
  EXPECT_THAT(faults({.body = "words[i] = i < 32 ? 1u << i : 0;"}), IsEmpty());
  EXPECT_THAT(faults({.body = "words[i] = 100 / i;"}), UnorderedElementsAre("undefined-arithmetic error"));
  EXPECT_THAT(faults({.body = "words[i] = 100 / i;", .rules = Rules::d3d12}), IsEmpty());
  EXPECT_THAT(faults({.body = "words[i] = uint(100 / (int(i) - 5));", .rules = Rules::d3d12}),
              UnorderedElementsAre("undefined-arithmetic error"));
  EXPECT_THAT(faults({.body = "words[i] = uint(float(i) - 3.0);"}), UnorderedElementsAre("undefined-arithmetic error"));
}

TEST(UndefinedArithmetic, RemaindersOfNegativeNumbers) {
  EXPECT_THAT(faults({.body = "words[i] = uint((int(i) - 5) % 3);"}),
              UnorderedElementsAre("undefined-arithmetic error"));
  EXPECT_THAT(faults({.body = "words[i] = uint(int(i) % -3);"}), UnorderedElementsAre("undefined-arithmetic error"));
  EXPECT_THAT(faults({.body = "words[i] = uint(int(i) % 3);"}), IsEmpty());
  EXPECT_THAT(faults({.body = "int x = (int(i) - 5) % 3; words[i] = i < 5 ? 0 : uint(x);"}), IsEmpty());
  EXPECT_THAT(faults({.body = "words[i] = uint((int(i) - 5) % 3);", .rules = Rules::d3d12}), IsEmpty());
  EXPECT_THAT(faults({.body = "words[i] = uint(int(i) % (int(i) - 5));", .rules = Rules::d3d12}),
              UnorderedElementsAre("undefined-arithmetic error"));
}

TEST(WaveOperations, CarryUndefinedValues) {
  EXPECT_THAT(faults({.body = "uint s = subgroupAdd(tile[i]); words[i] = s;"}),
              UnorderedElementsAre("uninitialized-read error"));
  EXPECT_THAT(faults({.body = "uint s = subgroupInclusiveAdd(i < 3 ? i : tile[i]); if (i < 3) words[i] = s;"}),
              IsEmpty());
}

}  // namespace
}  // namespace crosslane::sanitize_tests
