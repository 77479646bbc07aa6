// The helpers of lane.hlsli for sets of lanes, asked under a branch that some lanes did not take.
#include <gtest/gtest.h>
#include <array>
#include <map>
#include <set>

#include "hlsl/run_kernel.hpp"

namespace crosslane::hlsl_tests {
namespace {

constexpr std::uint32_t threads = 157;    // of kernels/lanes.hlsl
constexpr std::uint32_t questions = 160;  // of CMakeLists.txt
constexpr std::size_t stride = 7 + questions;

std::size_t record_at(std::uint32_t thread) { return thread * stride; }

std::vector<std::uint32_t> lanes_asked() {
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < questions - 4; ++lane) {
    lanes.push_back(lane);
  }
  lanes.insert(lanes.end(), {0xFFFFFFFFU, 0x80000000U, 256U, 0x80000001U});
  return lanes;
}

TEST(Lanes, NameTheActiveLanesAndNoOthers) {
  std::vector<Array> arrays = {{lanes_asked()}, Array::results(threads * stride)};
  run_kernel("lanes", arrays, {});
  const std::vector<std::uint32_t>& records = arrays[1].words;

  std::map<std::uint32_t, std::set<std::uint32_t>> active;  // lanes by wave
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    if (thread % 3 != 0) {
      active[records[record_at(thread) + 1]].insert(records[record_at(thread)]);
    }
  }
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    const std::uint32_t* record = &records[record_at(thread)];
    if (thread % 3 == 0) {
      EXPECT_EQ(record[2], unwritten) << "thread " << thread;
      continue;
    }
    const std::set<std::uint32_t>& lanes = active[record[1]];
    EXPECT_EQ(record[2], lanes.size()) << "thread " << thread;
    std::array<std::uint32_t, 4> words = {};
    for (const std::uint32_t lane : lanes) {
      words[lane / 32] |= 1U << (lane % 32);
    }
    for (std::uint32_t word = 0; word < 4; ++word) {
      EXPECT_EQ(record[3 + word], words[word]) << "thread " << thread << ", word " << word;
    }
    for (std::uint32_t question = 0; question < questions; ++question) {
      EXPECT_EQ(record[7 + question], lanes.count(lanes_asked()[question])) << "lane " << lanes_asked()[question];
    }
  }
}

}  // namespace
}  // namespace crosslane::hlsl_tests
