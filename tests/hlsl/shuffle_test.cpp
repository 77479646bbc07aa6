// Every shuffle × every type × every distance from −2W to 2W (beyond 32 lanes: near the edges, and every seventh
// elsewhere, but in a long run), and beyond, against the lane that the table in
// hlsl/crosslane/shuffle.hlsli names: in full and partly filled waves, with all threads calling and with some.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <array>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include "hlsl/run_kernel.hpp"
#include "hlsl/type_layout.hpp"
#include "support/sweep.hpp"

namespace crosslane::hlsl_tests {
namespace {

constexpr std::uint32_t threads = 157;  // of kernels/shuffle.hlsl

/// The constants of kernels/shuffle.hlsl, in its order; types of more than four components have the first three.
constexpr std::array<std::int32_t, 9> constant_distances = {1, -4,   std::numeric_limits<std::int32_t>::min(), 0, -1, 3,
                                                            8, -127, std::numeric_limits<std::int32_t>::max()};
constexpr std::size_t few_constants = 3;

/// One call of one function, by all lanes: where its result is and which distance each thread gave.
struct Call {
  std::string_view function;
  std::vector<std::int32_t> distances;  ///< [thread]
  bool same_in_all_lanes = true;
};

/// The lane whose value `function` returns, or a number outside the wave where it returns the own one.
std::int64_t source_lane(std::string_view function, std::int64_t lane, std::int64_t distance, std::int64_t lanes) {
  const auto modulo = [&](std::int64_t value) { return (value % lanes + lanes) % lanes; };
  if (function == "WaveShuffleUp") {
    return lane - distance;
  }
  if (function == "WaveShuffleDown") {
    return lane + distance;
  }
  if (function == "WaveShuffleXor") {
    return lane ^ distance;
  }
  if (function == "WaveRotate") {
    return modulo(lane + distance);
  }
  return modulo(distance);  // WaveShuffle, SafeReadLane, WaveBroadcast
}

std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16U)) * 0x7FEB352DU;
  x = (x ^ (x >> 15U)) * 0x846CA68BU;
  return x ^ (x >> 16U);
}

/// Distances for each call of the kernel's loop: −2W … 2W and the extremes for all lanes alike, then some that differ.
std::vector<std::vector<std::int32_t>> make_distances(std::int32_t lanes, std::uint32_t seed) {
  using Limits = std::numeric_limits<std::int32_t>;
  std::vector<std::int32_t> uniform = {
      Limits::min(), Limits::min() + 1, Limits::max() - 1, Limits::max(), -65536, 65536, -129, 127};
  for (std::int32_t distance = -2 * lanes; distance <= 2 * lanes; ++distance) {
    const std::int32_t from_edge = std::abs(distance % lanes);
    if (lanes <= 32 || test::long_run() || from_edge <= 2 || lanes - from_edge <= 2 || distance % 7 == 0) {
      uniform.push_back(distance);
    }
  }
  constexpr std::uint32_t scattered_rows = 8;
  std::vector<std::vector<std::int32_t>> distances;
  distances.reserve(uniform.size() + scattered_rows);
  for (const std::int32_t distance : uniform) {
    distances.emplace_back(threads, distance);
  }
  for (std::uint32_t scattered = 0; scattered < scattered_rows; ++scattered) {
    std::vector<std::int32_t>& row = distances.emplace_back();
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      const std::uint32_t random = mixed((seed * scattered_rows + scattered) * threads + thread + 1);
      row.push_back(scattered < 6
                        ? static_cast<std::int32_t>(random % static_cast<std::uint32_t>(4 * lanes + 1)) - 2 * lanes
                        : static_cast<std::int32_t>(random));
    }
  }
  return distances;
}

std::vector<Call> make_calls(const std::vector<std::vector<std::int32_t>>& distances, std::size_t components) {
  std::vector<Call> calls;
  for (const std::vector<std::int32_t>& row : distances) {
    const bool same = std::all_of(row.begin(), row.end(), [&](std::int32_t distance) { return distance == row[0]; });
    for (const std::string_view function : {"WaveShuffleUp", "WaveShuffleDown", "WaveShuffleXor", "WaveShuffle",
                                            "SafeReadLane", "WaveRotate", "WaveBroadcast"}) {
      calls.push_back({function, row, same});
    }
  }
  const std::size_t constants = components > 4 ? few_constants : constant_distances.size();
  for (const std::int32_t distance : std::span(constant_distances).first(constants)) {
    for (const std::string_view function : {"WaveShuffleUp", "WaveShuffleDown"}) {
      calls.push_back({function, std::vector<std::int32_t>(threads, distance)});
    }
  }
  return calls;
}

/// A component of a thread's value. Each byte differs in all threads, so that a lost half is noticed; read as a float
/// of any width it is finite and normal.
std::uint64_t make_component(std::uint32_t thread, std::uint32_t component, std::uint32_t bits) {
  if (bits == 1) {
    return mixed(thread * 64 + component) & 1U;
  }
  std::uint64_t value = 0;
  for (std::uint32_t byte = 0; byte + 1 < bits / 8; ++byte) {
    const std::uint64_t distinct = (thread * (2 * (byte + component) + 1) + 101 * byte + 37 * component) & 0xFFU;
    value |= distinct << (8 * byte);
  }
  const std::uint64_t number = (thread + component) % 64;
  const std::uint64_t top = 0x20U | (number & 0x1FU) | ((number & 0x20U) << 2U);
  return value | (top << (bits - 8));
}

struct Placement {
  std::uint32_t lane;
  std::uint32_t first_thread;  // names the wave
};

class Shuffle : public testing::TestWithParam<std::string> {
 protected:
  void run(const std::string& form, const std::vector<std::uint32_t>& callers, std::uint32_t seed = 0) {
    form_ = form;
    callers_ = callers;
    bits_ = component_bits(GetParam());
    const auto components = static_cast<std::uint32_t>(bits_.size());
    ASSERT_GT(components, 0U);
    values_.clear();
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      for (std::uint32_t component = 0; component < components; ++component) {
        values_.push_back(make_component(thread, component, bits_[component]));
      }
    }
    const std::uint32_t lanes = wave_size();
    const auto distances = make_distances(static_cast<std::int32_t>(lanes), seed);
    calls_ = make_calls(distances, components);

    std::vector<Array> arrays(5);
    for (const std::uint64_t value : values_) {
      arrays[0].words.push_back(static_cast<std::uint32_t>(value));
      arrays[0].words.push_back(static_cast<std::uint32_t>(value >> 32U));
    }
    arrays[1] = Array::results((calls_.size() + 1) * threads * components * 2);
    for (const auto& row : distances) {
      arrays[2].words.insert(arrays[2].words.end(), row.begin(), row.end());
    }
    arrays[3].words = callers;
    arrays[4] = Array::results(std::size_t{threads} * 3);
    run_kernel(form + "." + GetParam(), arrays, {threads, static_cast<std::uint32_t>(distances.size()), components});
    results_ = std::move(arrays[1].words);
    read_placements(arrays[4].words);
  }

  /// Compares everything that is defined. Undefined is a read from an inactive lane, unless the form is checked.
  void check() const {
    ASSERT_NO_FATAL_FAILURE(check_call(0, {"the value itself", std::vector<std::int32_t>(threads, 0)}));
    for (std::size_t call = 0; call < calls_.size(); ++call) {
      if (calls_[call].function != "WaveBroadcast" || calls_[call].same_in_all_lanes) {
        ASSERT_NO_FATAL_FAILURE(check_call(call + 1, calls_[call]));
      }
    }
  }

 private:
  void read_placements(const std::vector<std::uint32_t>& words) {
    lanes_ = words[2];
    ASSERT_EQ(lanes_, wave_size());
    placements_.clear();
    thread_of_.clear();
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      const Placement place{words[std::size_t{thread} * 3], words[std::size_t{thread} * 3 + 1]};
      ASSERT_LT(place.lane, lanes_);
      ASSERT_TRUE(thread_of_.emplace(std::pair(place.first_thread, place.lane), thread).second) << "lane taken twice";
      placements_.push_back(place);
    }
    ASSERT_TRUE(lanes_ == 1 || threads % lanes_ != 0) << "no wave is partly filled";
    ASSERT_EQ(thread_of_.count({placements_[0].first_thread, lanes_ - 1}), 1U) << "the first wave is not full";
  }

  /// The thread whose value `thread` must have, or nothing where that is undefined.
  [[nodiscard]] std::optional<std::uint32_t> source_thread(const Call& call, std::uint32_t thread) const {
    if (call.function == "the value itself") {
      return thread;
    }
    const Placement place = placements_[thread];
    const std::int64_t lane = source_lane(call.function, place.lane, call.distances[thread], lanes_);
    if (lane < 0 || lane >= lanes_) {
      return thread;
    }
    const auto source = thread_of_.find({place.first_thread, static_cast<std::uint32_t>(lane)});
    if (source != thread_of_.end() && callers_[source->second] != 0) {
      return source->second;
    }
    return form_ == "checked" ? std::optional(thread) : std::nullopt;
  }

  void check_call(std::size_t index, const Call& call) const {
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      if (callers_[thread] == 0) {
        continue;
      }
      const auto source = source_thread(call, thread);
      for (std::size_t component = 0; source && component < bits_.size(); ++component) {
        const std::size_t at = ((index * threads + thread) * bits_.size() + component) * 2;
        const std::uint64_t got = results_[at] | (std::uint64_t{results_[at + 1]} << 32U);
        const std::uint64_t expected = values_[*source * bits_.size() + component];
        ASSERT_EQ(got, expected) << fmt::format("{} {}, distance {}: thread {} (lane {} of {}), component {}", form_,
                                                call.function, call.distances[thread], thread, placements_[thread].lane,
                                                lanes_, component);
      }
    }
  }

  std::string form_;
  std::vector<std::uint32_t> callers_;
  std::vector<std::uint32_t> bits_;
  std::vector<std::uint64_t> values_;  // [thread][component]
  std::vector<Call> calls_;
  std::vector<std::uint32_t> results_;
  std::vector<Placement> placements_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> thread_of_;  // by wave and lane
  std::uint32_t lanes_ = 0;
};

std::vector<std::uint32_t> everybody() {
  std::vector<std::uint32_t> callers(threads, 1);
  return callers;
}

/// About two threads of three; with more seeds also few and almost all.
std::vector<std::uint32_t> somebody(std::uint32_t seed) {
  constexpr std::array<std::uint32_t, 3> callers_of_nine = {6, 1, 8};
  std::vector<std::uint32_t> callers(threads);
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    callers[thread] = mixed(seed * threads + thread + 77) % 9 < callers_of_nine[seed % 3] ? 1 : 0;
  }
  return callers;
}

/// Sets of callers, and distances that differ.
std::uint32_t seeds() { return test::extent(1U, 20U); }

TEST_P(Shuffle, ReturnsTheLaneOfTheTableAndTheOwnValueAtEdges) {
  ASSERT_NO_FATAL_FAILURE(run("plain", everybody()));
  check();
}

TEST_P(Shuffle, ReadsActiveLanesWhereSomeThreadsDoNotCall) {
  for (std::uint32_t seed = 0; seed < seeds(); ++seed) {
    ASSERT_NO_FATAL_FAILURE(run("plain", somebody(seed), seed));
    ASSERT_NO_FATAL_FAILURE(check());
  }
}

TEST_P(Shuffle, CheckedReturnsTheOwnValueForLanesThatAreNotThere) {
  ASSERT_NO_FATAL_FAILURE(run("checked", everybody()));
  check();
}

TEST_P(Shuffle, CheckedReturnsTheOwnValueForLanesThatDoNotCall) {
  for (std::uint32_t seed = 0; seed < seeds(); ++seed) {
    ASSERT_NO_FATAL_FAILURE(run("checked", somebody(seed), seed));
    ASSERT_NO_FATAL_FAILURE(check());
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Shuffle, testing::ValuesIn(kernels_below("plain.")),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace crosslane::hlsl_tests
