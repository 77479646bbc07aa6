// Races by the memory model, a rule each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sanitize/check_shader.hpp"

namespace crosslane::sanitize_tests {
namespace {

using test::faults;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(GroupsharedRace, ABarrierOrdersGroupsharedMemory) {
  EXPECT_THAT(faults({.body = "tile[i] = i; barrier(); words[i] = tile[63 - i];"}), IsEmpty());
  EXPECT_THAT(faults({.body = "tile[i] = i; words[i] = tile[i];"}), IsEmpty()) << "a place of its own";
  EXPECT_THAT(faults({.body = "tile[i] = i; words[i] = tile[i ^ 32];"}),
              UnorderedElementsAre("groupshared-race error", "uninitialized-read error"));
}

TEST(GroupsharedRace, AReadAndALaterWriteRaceToo) {
  EXPECT_THAT(faults({.body = "tile[i] = i; barrier(); uint x = tile[63 - i]; tile[i] = x; barrier(); words[i] = "
                              "tile[i];"}),
              UnorderedElementsAre("groupshared-race error"));
  EXPECT_THAT(faults({.body = "tile[i] = i; barrier(); uint x = tile[63 - i]; barrier(); tile[i] = x; barrier(); "
                              "words[i] = tile[i];"}),
              IsEmpty());
}

TEST(GroupsharedRace, SeverityDependsOnRulesAndWave) {
  const std::string body = "tile[i] = i; words[i] = tile[i ^ 1];";
  const auto at = [&](Rules rules, std::uint32_t wave_size) {
    auto all = faults({.body = body, .wave_sizes = {wave_size}, .rules = rules});
    all.erase("uninitialized-read error");  // where a wave runs before another
    return all;
  };
  EXPECT_THAT(at(Rules::d3d12, 4), UnorderedElementsAre("groupshared-race warning"));
  EXPECT_THAT(at(Rules::vulkan, 4), UnorderedElementsAre("groupshared-race error"));
  EXPECT_THAT(at(Rules::d3d12, 1), UnorderedElementsAre("groupshared-race error"));
}

TEST(GroupsharedRace, TheSameValueIsANote) {
  EXPECT_THAT(faults({.body = "tile[0] = 7; barrier(); words[i] = tile[0];"}),
              UnorderedElementsAre("groupshared-race note"));
  EXPECT_THAT(faults({.body = "tile[0] = i; barrier(); if (tile[0] > 99) words[i] = 1;"}),
              UnorderedElementsAre("groupshared-race error"));
}

TEST(GroupsharedRace, WritesThatNobodyReadsDoNoHarm) {
  EXPECT_THAT(faults({.body = "tile[i < 5 ? i : 64] = i; barrier(); if (i < 5) words[i] = tile[i];"}), IsEmpty());
  EXPECT_THAT(faults({.body = "tile[64] = i; barrier(); tile[64] = 3; barrier(); words[i] = tile[64];"}),
              UnorderedElementsAre("groupshared-race note"));
  EXPECT_THAT(faults({.body = "tile[64] = i; barrier(); words[i] = tile[64];"}),
              UnorderedElementsAre("groupshared-race error"));
}

TEST(GroupsharedRace, ABarrierOfTheWaveOrdersItsLanes) {
  EXPECT_THAT(faults({.body = "tile[i] = i; subgroupBarrier(); words[i] = tile[i ^ 1];"}), IsEmpty());
  EXPECT_THAT(faults({.body = "tile[i] = i; subgroupMemoryBarrierShared(); words[i] = tile[i ^ 1];"}),
              UnorderedElementsAre("groupshared-race error"))
      << "a fence alone waits for nobody";
  EXPECT_THAT(faults({.body = "tile[i] = i; subgroupBarrier(); words[i] = tile[i ^ 32];", .wave_sizes = {64}}),
              IsEmpty());
  EXPECT_THAT(faults({.body = "tile[i] = i; barrier(); tile[i] += 1; subgroupBarrier(); words[i] = tile[i ^ 32];",
                      .wave_sizes = {4}}),
              UnorderedElementsAre("groupshared-race error"));
}

TEST(GroupsharedRace, AtomicsDoNotRaceWithEachOther) {
  EXPECT_THAT(
      faults({.body = "if (i == 0) tile[0] = 0; barrier(); atomicAdd(tile[0], i); barrier(); words[i] = tile[0];"}),
      IsEmpty());
  EXPECT_THAT(faults({.body = "if (i == 0) tile[0] = 0; barrier(); atomicAdd(tile[0], i); words[i] = tile[0];"}),
              testing::Contains("groupshared-race error"));
}

TEST(GlobalRace, ABarrierForGroupsharedMemoryDoesNotOrderBuffers) {
  EXPECT_THAT(faults({.body = "more[i] = i; barrier(); words[i] = more[63 - i];"}),
              UnorderedElementsAre("global-race error"));
  EXPECT_THAT(faults({.body = "more[i] = i; memoryBarrierBuffer(); barrier(); words[i] = more[63 - i];",
                      .rules = Rules::vulkan}),
              UnorderedElementsAre("global-race error"))
      << "the fence after the barrier is missing";
  EXPECT_THAT(
      faults(
          {.body = "more[i] = i; memoryBarrierBuffer(); barrier(); memoryBarrierBuffer(); words[i] = more[63 - i];"}),
      IsEmpty());
  EXPECT_THAT(
      faults(
          {.body = "more[i] = i; memoryBarrierShared(); barrier(); memoryBarrierShared(); words[i] = more[63 - i];"}),
      UnorderedElementsAre("global-race error"));
  EXPECT_THAT(faults({.body = "more[i] = i; controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, "
                              "gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease); words[i] = more[63 - i];"}),
              IsEmpty());
}

TEST(GlobalRace, OtherGroups) {
  EXPECT_THAT(faults({.body = "words[g * 64 + i] = i;", .groups = {4, 1, 1}}), IsEmpty());
  EXPECT_THAT(faults({.body = "if (i == 0) words[0] = g;", .groups = {4, 1, 1}}),
              testing::Contains("global-race error"));
  EXPECT_THAT(faults({.body = "if (i == 0) words[0] = 5;", .groups = {4, 1, 1}}),
              UnorderedElementsAre("global-race note"));
  EXPECT_THAT(faults({.body = "atomicAdd(words[0], i);", .groups = {4, 1, 1}}), IsEmpty());
}

TEST(GlobalRace, LanesOfOneInstruction) {
  EXPECT_THAT(faults({.body = "words[i / 2] = i;"}), UnorderedElementsAre("global-race error"));
  EXPECT_THAT(faults({.body = "words[i / 2] = i;", .rules = Rules::d3d12}), UnorderedElementsAre("global-race error"));
  EXPECT_THAT(faults({.body = "words[i / 2] = i / 2;"}), UnorderedElementsAre("global-race note"));
}

// The group that counts last sees what all others wrote.
constexpr const char* last_group =
    "  if (i == 0) {\n"
    "    both_see[g] = g + 1;\n"
    "    FENCE;\n"
    "    uint n = atomicAdd(both_see[100], 1);\n"
    "    FENCE;\n"
    "    if (n == gl_NumWorkGroups.x - 1) {\n"
    "      uint sum = 0;\n"
    "      for (uint k = 0; k < gl_NumWorkGroups.x; ++k) sum += both_see[k];\n"
    "      words[0] = sum;\n"
    "    }\n"
    "  }\n";

std::string with_fence(std::string text, const std::string& fence, const std::string& buffer = "both_see") {
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"FENCE", fence},
                                 {"both_see[g]", buffer + "[g]"},
                                 {"both_see[k]", buffer + "[k]"}}) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

TEST(GlobalRace, FencesAroundAtomicsOrderGroups) {
  EXPECT_THAT(faults({.body = with_fence(last_group, "memoryBarrierBuffer()"), .groups = {4, 1, 1}}), IsEmpty());
  EXPECT_THAT(faults({.body = with_fence(last_group, ""), .groups = {4, 1, 1}}),
              UnorderedElementsAre("global-race error"));
  EXPECT_THAT(faults({.body = with_fence(last_group, "memoryBarrierShared()"), .groups = {4, 1, 1}}),
              UnorderedElementsAre("global-race error"));
}

TEST(GlobalRace, WhoeverCountsLastMayResetTheCounter) {
  EXPECT_THAT(faults({.body = "if (i == 0 && atomicAdd(both_see[0], 1) == gl_NumWorkGroups.x - 1) both_see[0] = 0;",
                      .groups = {4, 1, 1}}),
              IsEmpty());
  EXPECT_THAT(faults({.body = "if (i == 0 && atomicAdd(both_see[0], 1) == 1) both_see[0] = 0;", .groups = {4, 1, 1}}),
              testing::Contains("global-race error"));
}

TEST(MissingCoherent, IsToldWhereTheOrderIsRight) {
  EXPECT_THAT(faults({.body = with_fence(last_group, "memoryBarrierBuffer()", "more"), .groups = {4, 1, 1}}),
              UnorderedElementsAre("missing-coherent error"));
}

TEST(GlobalRace, ReleaseAndAcquireOrderGroups) {
  const std::string chain =
      "  if (i == 0) {\n"
      "    both_see[g] = g + 1;\n"
      "    uint n = atomicAdd(both_see[100], 1, gl_ScopeDevice, gl_StorageSemanticsBuffer, ORDER);\n"
      "    if (n == gl_NumWorkGroups.x - 1) {\n"
      "      uint sum = 0;\n"
      "      for (uint k = 0; k < gl_NumWorkGroups.x; ++k) sum += both_see[k];\n"
      "      words[0] = sum;\n"
      "    }\n"
      "  }\n";
  const auto with = [&](const std::string& order) {
    auto text = chain;
    text.replace(text.find("ORDER"), 5, order);
    return faults({.body = text, .groups = {4, 1, 1}, .vulkan_memory_model = true});
  };
  EXPECT_THAT(with("gl_SemanticsAcquireRelease"), IsEmpty());
  EXPECT_THAT(with("gl_SemanticsRelease"), UnorderedElementsAre("global-race error"));
}

}  // namespace
}  // namespace crosslane::sanitize_tests
