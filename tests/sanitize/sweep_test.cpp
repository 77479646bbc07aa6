// What only the sweep shows: barriers and loops that stop a shader, outputs that depend on size, order and layout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sanitize/check_shader.hpp"

namespace crosslane::sanitize_tests {
namespace {

using test::check_shader;
using test::faults;
using test::ShaderCase;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(BarrierDivergence, LanesWavesAndEnds) {
  EXPECT_THAT(faults({.body = "if (lane < 2) barrier();"}), UnorderedElementsAre("barrier-divergence error"));
  EXPECT_THAT(faults({.body = "if (i < 32) barrier();", .wave_sizes = {4, 32}}),
              UnorderedElementsAre("barrier-divergence error"));
  EXPECT_THAT(faults({.body = "if (i < 32) barrier(); else barrier();", .wave_sizes = {4, 32}}),
              UnorderedElementsAre("barrier-divergence error"));
  EXPECT_THAT(faults({.body = "if (i >= 40) return; barrier();"}), UnorderedElementsAre("barrier-divergence error"));
  EXPECT_THAT(faults({.body = "if (g < 2) barrier();", .groups = {4, 1, 1}}), IsEmpty()) << "the same for a group";
}

TEST(BarrierDivergence, NamesBothBarriers) {
  const auto report =
      check_shader({.body = "if (i < 32) {\n  barrier();\n} else {\n  barrier();\n}", .wave_sizes = {32}});
  ASSERT_EQ(report.findings.size(), 1U) << describe(report);
  ASSERT_EQ(report.findings[0].locations.size(), 2U);
  EXPECT_NE(report.findings[0].locations[0].line, report.findings[0].locations[1].line);
}

TEST(NoProgress, WaitingForWhatNeverComes) {
  EXPECT_THAT(faults({.body = "while (atomicAdd(both_see[0], 0) == 0) {}"}), UnorderedElementsAre("no-progress error"));
  EXPECT_THAT(
      faults({.body = "if (i == 0) { while (atomicAdd(both_see[g + 1], 0) == 0 && g + 1 < gl_NumWorkGroups.x) {}\n"
                      "atomicExchange(both_see[g], 1); }",
              .groups = {8, 1, 1}}),
      Contains("no-progress error"))
      << "a group waits for a later one, which may not have begun";
  EXPECT_THAT(faults({.body = "if (i == 0) { while (g > 0 && atomicAdd(both_see[g - 1], 0) == 0) {}\n"
                              "atomicExchange(both_see[g], 1); }",
                      .groups = {8, 1, 1}}),
              Contains("no-progress error"))
      << "no order of groups is promised";
  EXPECT_THAT(faults({.body = "if (i == 0) { uint n = atomicAdd(both_see[100], 1);\n"
                              "while (n > 0 && atomicAdd(both_see[n - 1], 0) == 0) {}\n"
                              "atomicExchange(both_see[n], 1); }",
                      .groups = {8, 1, 1}}),
              IsEmpty());
}

TEST(NoProgress, ALoopThatAlwaysChangesSomething) {
  const ShaderCase endless{.body = "uint k = 0; do { words[i] = ++k; } while (k != 0 || more[0] == 0);",
                           .size = "local_size_x = 512",
                           .groups = {3, 1, 1},
                           .wave_sizes = {4, 32, 64}};
  const auto report = check_shader(endless);
  EXPECT_THAT(faults(report), Contains("no-progress error"));
  const auto& finding = report.findings.front();
  EXPECT_EQ(finding.wave_sizes, (std::vector<std::uint32_t>{4, 32, 64}));
  EXPECT_THAT(finding.message, HasSubstr("no thread group ends in as many iterations as are allowed"));
  EXPECT_THAT(finding.hint, HasSubstr("--iterations"));
}

TEST(NoProgress, ALongLoopIsNone) {
  EXPECT_THAT(
      faults({.body = "uint x = i; for (uint k = 0; k < 20000; ++k) x = x * 3 + k; words[i] = x;", .wave_sizes = {64}}),
      IsEmpty());
}

TEST(MappingDependent, WavesOfNeighboursInRows) {
  const std::string body = "words[i] = subgroupShuffleXor(i, 1); more[i / W] = subgroupMin(i);";
  EXPECT_THAT(faults({.body = "words[i] = subgroupShuffleXor(i, 2);",
                      .size = "local_size_x = 8, local_size_y = 8",
                      .wave_sizes = {16}}),
              UnorderedElementsAre("mapping-dependent warning"));
  EXPECT_THAT(faults({.body = "words[i] = subgroupShuffleXor(i, 2);"}), IsEmpty()) << "one row has no squares";
}

TEST(ScheduleDependent, WhoComesFirst) {
  EXPECT_THAT(faults({.body = "words[i] = atomicAdd(both_see[0], 1);", .wave_sizes = {4}}),
              UnorderedElementsAre("schedule-dependent warning"));
  EXPECT_THAT(faults({.body = "atomicMax(both_see[0], i);", .wave_sizes = {4}}), IsEmpty());
}

// SPIR-V alone promises that lanes meet at the end of what all of the group entered.
TEST(ReconvergenceDependent, OfWavesIsANote) {
  const std::string part_and_count =
      "  if (lane % 2 == 0) { more[i] = 1; } else { more[i] = 2; }\n"
      "  words[i] = subgroupAdd(1);\n";
  const std::string one_wave = "if (gl_SubgroupID == 0) {\n" + part_and_count + "}";
  const auto report = check_shader({.body = one_wave, .wave_sizes = {8}});
  EXPECT_THAT(faults(report), UnorderedElementsAre("reconvergence-dependent note"));
  EXPECT_THAT(report.findings.front().schedules, testing::ElementsAre("workgroup-uniform"));
  EXPECT_TRUE(report.clean());
  EXPECT_THAT(faults({.body = one_wave, .wave_sizes = {64}}), IsEmpty()) << "the wave is the group";
  EXPECT_THAT(faults({.body = part_and_count, .wave_sizes = {8}}), IsEmpty());
  EXPECT_THAT(faults({.body = "for (uint k = 0; k < gl_SubgroupID; ++k) { more[i] += 1; }\n" + part_and_count,
                      .wave_sizes = {8}}),
              IsEmpty())
      << "waves that go round a loop more often meet the others behind it";
  EXPECT_THAT(faults({.body = "for (uint k = 0; k < 3; ++k) {\n" + part_and_count + "}", .wave_sizes = {8}}),
              IsEmpty());
}

TEST(ReconvergenceDependent, WhereNothingPromisesIt) {
  // Lanes enter the inner branch apart, so that nothing promises that they meet after it.
  const std::string body =
      "if (lane > 0) {\n"
      "  if (lane % 2 == 0) { more[i] = 1; } else { more[i] = 2; }\n"
      "  words[i] = subgroupAdd(1);\n"
      "}";
  EXPECT_THAT(faults({.body = body, .wave_sizes = {8}}), UnorderedElementsAre("reconvergence-dependent warning"));
  EXPECT_THAT(faults({.body = "if (lane % 2 == 0) { more[i] = 1; } else { more[i] = 2; } words[i] = subgroupAdd(1);",
                      .wave_sizes = {8}}),
              IsEmpty());
  EXPECT_THAT(faults({.body = "for (uint k = 0; k < lane; ++k) { more[i] += 1; } words[i] = subgroupAdd(1);",
                      .wave_sizes = {8}}),
              IsEmpty());
}

TEST(Sweep, IndependentLanesGiveTheSameResults) {
  // Branches, loops and calls at every depth, without races: whatever the order, the outputs are the same.
  EXPECT_THAT(faults({.body = "uint x = i;\n"
                              "for (uint k = 0; k < 1 + i % 5; ++k) {\n"
                              "  tile[i] = x; if (x % 3 == 0) { x += step(k); } else { x = x * 2 + tile[i]; }\n"
                              "  if (x > 1000) break;\n"
                              "}\n"
                              "switch (x % 4) { case 0: x += 1; case 1: x += 2; break; default: x = step(x); }\n"
                              "words[i] = x;",
                      .declarations = "uint step(uint v) { if (v % 2 == 0) return v / 2; tile[0 + "
                                      "gl_LocalInvocationIndex] = v; return v * 3 + 1; }"}),
              IsEmpty());
}

TEST(OversizedShuffle, IsANote) {
  EXPECT_THAT(faults({.body = "uint x = subgroupShuffleXor(i, 16); words[i] = W > 16 ? x : i;", .wave_sizes = {8}}),
              UnorderedElementsAre("oversized-shuffle note"));
  EXPECT_THAT(faults({.body = "words[i] = subgroupShuffleXor(i, 16);", .wave_sizes = {8}}),
              UnorderedElementsAre("oversized-shuffle note", "lane-out-of-range error"));
  EXPECT_THAT(faults({.body = "words[i] = subgroupShuffleXor(i, 16);", .wave_sizes = {32, 64}}), IsEmpty());
}

TEST(Sweep, EveryIdHasARule) {
  for (const auto& rule : rules()) {
    EXPECT_EQ(find_rule(rule.id), &rule);
    EXPECT_FALSE(rule.rule.empty() || rule.mend.empty() || rule.source.empty()) << rule.id;
  }
  EXPECT_EQ(find_rule("nothing"), nullptr);
}

TEST(Sweep, RefusesNoWaveSizes) {
  EXPECT_TRUE(test::fails(check({.spirv = {}}, {.wave_sizes = {}}), ErrorCode::invalid_argument, "no wave size"));
}

}  // namespace
}  // namespace crosslane::sanitize_tests
