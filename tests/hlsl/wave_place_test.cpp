// The wave's place in its group: claimed in groups of every shape, found from built-in values in one-dimensional ones.
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "hlsl/run_kernel.hpp"

namespace crosslane::hlsl_tests {
namespace {

constexpr std::uint32_t groups = 5;
constexpr std::size_t stride = 8;  // words per thread that kernels/place.hlsl writes

struct Place {
  std::uint32_t index, count, element;
};

struct Wave {
  std::map<std::uint32_t, Place> lanes;
};

/// The waves of one group, by their first thread, as seen at the first or second call.
std::map<std::uint32_t, Wave> waves_of(const std::uint32_t* records, std::size_t threads, std::uint32_t time) {
  std::map<std::uint32_t, Wave> waves;
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    const std::uint32_t* record = records + thread * stride;
    const std::uint32_t* place = record + 2 + std::size_t{time} * 3;
    waves[record[1]].lanes[record[0]] = {place[0], place[1], place[2]};
  }
  return waves;
}

/// Numbers 0 … count − 1, each once, the same in all lanes; elements 0 … threads − 1, each once, in the order of the
/// numbers and, within a wave, of the lanes.
void check_group(const std::map<std::uint32_t, Wave>& waves, std::size_t threads) {
  std::map<std::uint32_t, const Wave*> by_index;
  for (const auto& [first_thread, wave] : waves) {
    const std::uint32_t index = wave.lanes.begin()->second.index;
    ASSERT_TRUE(by_index.emplace(index, &wave).second) << "number " << index << " twice";
  }
  std::uint32_t element = 0;
  std::uint32_t expected_index = 0;
  for (const auto& [index, wave] : by_index) {
    ASSERT_EQ(index, expected_index++);
    for (const auto& [lane, place] : wave->lanes) {
      ASSERT_EQ(place.index, index) << "lane " << lane;
      ASSERT_EQ(place.count, waves.size()) << "lane " << lane;
      ASSERT_EQ(place.element, element++) << "lane " << lane;
    }
  }
  ASSERT_EQ(element, threads);
}

std::uint32_t threads_of(const std::string& kernel) {
  std::uint32_t threads = 1;
  std::uint32_t side = 0;
  for (const char c : kernel.substr(kernel.rfind('.') + 1) + "x") {
    if (c == 'x') {
      threads *= side;
      side = 0;
    } else {
      side = side * 10 + static_cast<std::uint32_t>(c - '0');
    }
  }
  return threads;
}

class WavePlace : public testing::TestWithParam<std::string> {};

TEST_P(WavePlace, NumbersEachWaveOnceAndEachLaneOnce) {
  const std::size_t threads = threads_of(GetParam());
  std::vector<Array> arrays = {Array::results(groups * threads * stride)};
  run_kernel(GetParam(), arrays, {}, groups);
  for (std::uint32_t group = 0; group < groups; ++group) {
    for (const std::uint32_t time : {0U, 1U}) {
      const auto waves = waves_of(&arrays[0].words[group * threads * stride], threads, time);
      ASSERT_NO_FATAL_FAILURE(check_group(waves, threads)) << "group " << group << ", call " << time;
    }
  }
}

std::vector<std::string> place_kernels() {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels()) {
    if (kernel.name.substr(0, 6) == "place.") {
      names.emplace_back(kernel.name);
    }
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Shapes, WavePlace, testing::ValuesIn(place_kernels()), [](const auto& instance) {
  std::string name = instance.param.substr(6);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace crosslane::hlsl_tests
