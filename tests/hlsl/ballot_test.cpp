// The helpers of wave/ballot.hlsli, against sets counted lane by lane.
#include <gtest/gtest.h>
#include <bitset>
#include <random>

#include "hlsl/run_kernel.hpp"

namespace crosslane::hlsl_tests {
namespace {

constexpr std::uint32_t most_lanes = 128;
constexpr std::uint32_t group_threads = 64;  // of kernels/ballot.hlsl
constexpr std::size_t case_words = 5;
constexpr std::size_t answer_words = 8;
using Lanes = std::bitset<most_lanes>;

struct Case {
  Lanes lanes;
  std::uint32_t lane;
};

std::vector<Case> make_cases() {
  std::vector<Lanes> sets = {Lanes(), ~Lanes()};
  for (const std::size_t lane : {0U, 1U, 31U, 32U, 63U, 64U, 95U, 96U, 127U}) {
    sets.push_back(Lanes().set(lane));
    sets.push_back(~Lanes().set(lane));
  }
  std::mt19937 random(1);
  for (const double share : {0.03, 0.5, 0.97}) {
    Lanes some;
    for (std::size_t lane = 0; lane < most_lanes; ++lane) {
      some.set(lane, std::bernoulli_distribution(share)(random));
    }
    sets.push_back(some);
  }
  std::vector<Case> cases;
  for (const Lanes& set : sets) {
    for (std::uint32_t lane = 0; lane <= most_lanes + 1; ++lane) {
      cases.push_back({set, lane});
    }
    cases.push_back({set, 0xFFFFFFFFU});
  }
  while (cases.size() % group_threads != 0) {
    cases.push_back(cases.back());
  }
  return cases;
}

std::uint32_t word_of(const Lanes& lanes, std::size_t word) {
  return static_cast<std::uint32_t>(((lanes >> (32 * word)) & Lanes(0xFFFFFFFFU)).to_ullong());
}

TEST(Ballot, CountsAndFindsLanesOfAnySet) {
  const std::vector<Case> cases = make_cases();
  std::vector<Array> arrays(2);
  for (const Case& one : cases) {
    for (std::size_t word = 0; word < 4; ++word) {
      arrays[0].words.push_back(word_of(one.lanes, word));
    }
    arrays[0].words.push_back(one.lane);
  }
  ASSERT_EQ(arrays[0].words.size(), cases.size() * case_words);
  arrays[1] = Array::results(cases.size() * answer_words);
  run_kernel("ballot", arrays, {}, static_cast<std::uint32_t>(cases.size()) / group_threads);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [lanes, lane] = cases[i];
    Lanes before;
    std::int32_t first = -1;
    std::int32_t last = -1;
    std::int32_t numbered = -1;  // the one with number `lane`, counted from 0
    std::uint32_t number = 0;
    for (std::uint32_t other = 0; other < most_lanes; ++other) {
      before.set(other, other < lane);
      if (lanes[other]) {
        numbered = number++ == lane ? static_cast<std::int32_t>(other) : numbered;
        first = first < 0 ? static_cast<std::int32_t>(other) : first;
        last = static_cast<std::int32_t>(other);
      }
    }
    const std::uint32_t* answer = &arrays[1].words[i * answer_words];
    for (std::size_t word = 0; word < 4; ++word) {
      ASSERT_EQ(answer[word], word_of(before, word)) << "before lane " << lane << ", word " << word;
    }
    ASSERT_EQ(answer[4], (lanes & before).count()) << lanes << " before " << lane;
    ASSERT_EQ(static_cast<std::int32_t>(answer[5]), first) << lanes;
    ASSERT_EQ(static_cast<std::int32_t>(answer[6]), last) << lanes;
    ASSERT_EQ(static_cast<std::int32_t>(answer[7]), numbered) << lanes << ", number " << lane;
  }
}

}  // namespace
}  // namespace crosslane::hlsl_tests
