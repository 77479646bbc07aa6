// Compaction over a wave against a list of the values that are kept: in full and partly filled waves, with all threads
// calling and with some.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <array>

#include "hlsl/run_kernel.hpp"
#include "hlsl/type_layout.hpp"
#include "hlsl/values.hpp"
#include "hlsl/waves.hpp"
#include "support/sweep.hpp"

namespace crosslane::hlsl_tests {
namespace {

constexpr std::uint32_t threads = 157;          // of kernels/compact.hlsl
constexpr std::size_t words_of_kept_lanes = 6;  // there: four words of lanes, count, rank
using Flags = std::vector<std::uint32_t>;       // [thread]

/// Who keeps, one set of flags after the other: nobody, everybody, one thread, all but one, and more and more of them.
std::vector<Flags> make_keeps() {
  std::vector<Flags> keeps = {Flags(threads, 0), Flags(threads, 1)};
  for (const std::uint32_t thread : {0U, 33U, 101U, 127U, 156U}) {
    keeps.emplace_back(threads, 0).at(thread) = 1;
    keeps.emplace_back(threads, 1).at(thread) = 0;
  }
  for (std::uint32_t share = 1; share < 16; share += test::extent(3U, 1U)) {
    Flags& some = keeps.emplace_back();
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      some.push_back(random_bits(share * threads + thread) % 16 < share ? 1 : 0);
    }
  }
  return keeps;
}

class Compact : public testing::TestWithParam<std::string> {
 protected:
  void run(const Flags& callers) {
    const auto bits = component_bits(unchecked(GetParam()));
    components_ = bits.size();
    keeps_ = make_keeps();
    arrays_.assign(6, {});
    values_.clear();
    for (std::uint32_t number = 0; number < 2 * threads; ++number) {
      values_.push_back(make_value(bits, number));
      append(arrays_[0], values_.back());
    }
    arrays_[1] = Array::results(keeps_.size() * threads * components_ * 2);
    for (const Flags& keeps : keeps_) {
      arrays_[2].words.insert(arrays_[2].words.end(), keeps.begin(), keeps.end());
    }
    arrays_[3].words = callers;
    arrays_[4] = Array::results(std::size_t{threads} * 3);
    arrays_[5] = Array::results(keeps_.size() * threads * words_of_kept_lanes);
    run_kernel("compact." + GetParam(), arrays_,
               {static_cast<std::uint32_t>(components_), static_cast<std::uint32_t>(keeps_.size())});
  }

  /// All results of all calls.
  void check() const {
    bool partly_filled = false;
    for (const Wave& wave : read_waves(arrays_[4])) {
      partly_filled = partly_filled || wave.size() < wave_size();
      for (std::size_t iteration = 0; iteration < keeps_.size(); ++iteration) {
        ASSERT_NO_FATAL_FAILURE(check_wave(wave, iteration)) << "set " << iteration;
      }
    }
    ASSERT_EQ(partly_filled, wave_size() != 1);
  }

 private:
  void check_wave(const Wave& wave, std::size_t iteration) const {
    std::array<std::uint32_t, 4> lanes = {};
    std::vector<std::uint32_t> kept;  // threads
    for (const auto& [lane, thread] : wave) {
      if (arrays_[3].words[thread] != 0 && keeps_[iteration][thread] != 0) {
        lanes.at(lane / 32) |= 1U << (lane % 32);
        kept.push_back(thread);
      }
    }
    std::uint32_t rank = 0;
    for (const auto& [lane, thread] : wave) {
      const std::size_t row = iteration * threads + thread;
      const Value got = value_at(arrays_[1], row, components_);
      if (arrays_[3].words[thread] == 0) {
        ASSERT_EQ(got, unwritten_value(components_)) << "thread " << thread << " does not call";
        continue;
      }
      const std::uint32_t source = lane < kept.size() ? kept[lane] : threads + thread;
      ASSERT_EQ(got, values_[source]) << fmt::format("lane {}, {} kept", lane, kept.size());
      const std::uint32_t* words = &arrays_[5].words[row * words_of_kept_lanes];
      ASSERT_TRUE(std::equal(lanes.begin(), lanes.end(), words)) << "lane " << lane;
      ASSERT_EQ(words[4], kept.size()) << "lane " << lane;
      ASSERT_EQ(words[5], rank) << "lane " << lane;
      rank += keeps_[iteration][thread];
    }
  }

  std::size_t components_ = 0;
  std::vector<Flags> keeps_;
  std::vector<Value> values_;  // [thread], then the fillers
  std::vector<Array> arrays_;
};

TEST_P(Compact, MovesKeptValuesToTheFirstLanesInTheirOrder) {
  ASSERT_NO_FATAL_FAILURE(run(Flags(threads, 1)));
  check();
}

TEST_P(Compact, LeavesOutLanesThatDoNotCall) {
  for (const std::uint32_t of_eight : {1U, 4U, 7U}) {
    Flags callers;
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      callers.push_back(random_bits(of_eight * threads + thread + 9999) % 8 < of_eight ? 1 : 0);
    }
    ASSERT_NO_FATAL_FAILURE(run(callers));
    ASSERT_NO_FATAL_FAILURE(check());
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Compact, testing::ValuesIn(kernels_below("compact.")), [](const auto& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace crosslane::hlsl_tests
