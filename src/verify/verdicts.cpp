#include "verify/verdicts.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace crosslane::conformance {
namespace {

struct Entry {
  std::string_view name;
  std::string_view description;
};

constexpr std::array known_promises = {
    Entry{"lanes-run", "every thread of a group runs and writes its results"},
    Entry{"wave-size", "waves have as many lanes as the driver says and the shader is told"},
    Entry{"full-waves", "a group that is a multiple of the wave has full waves only"},
    Entry{"lane-index", "lane numbers are below the wave size, each once, and ballots name the lanes that are there"},
    Entry{"early-return", "after an early return the lanes that stayed are active, and only they"},
    Entry{"first-lane", "WaveIsFirstLane and WaveReadLaneFirst mean the lowest active lane"},
    Entry{"ballot", "WaveActiveBallot"},
    Entry{"any-true", "WaveActiveAnyTrue"},
    Entry{"all-true", "WaveActiveAllTrue"},
    Entry{"count-bits", "WaveActiveCountBits"},
    Entry{"prefix-count-bits", "WavePrefixCountBits"},
    Entry{"shuffle-up", "WaveShuffleUp, for distances of the lane and for constants"},
    Entry{"shuffle-down", "WaveShuffleDown, for distances of the lane and for constants"},
    Entry{"shuffle-xor", "WaveShuffleXor"},
    Entry{"shuffle", "WaveShuffle, any lane"},
    Entry{"rotate", "WaveRotate"},
    Entry{"broadcast", "WaveBroadcast"},
    Entry{"active-sum", "WaveActiveSum"},
    Entry{"active-min", "WaveActiveMin"},
    Entry{"active-max", "WaveActiveMax"},
    Entry{"active-product", "WaveActiveProduct"},
    Entry{"prefix-sum", "WavePrefixSum"},
    Entry{"prefix-product", "WavePrefixProduct"},
    Entry{"active-bit-and", "WaveActiveBitAnd"},
    Entry{"active-bit-or", "WaveActiveBitOr"},
    Entry{"active-bit-xor", "WaveActiveBitXor"},
    Entry{"reconvergence", "lanes that took the same way are together, and all are after the branch or loop"},
    Entry{"early-exit", "the same beside break and continue (maximal reconvergence)"},
    Entry{"claimed-place", "waves that claim a number by a groupshared atomic get each number once"},
    Entry{"group-progress", "thread groups that have begun make progress, so that others may wait for them"},
    Entry{"group-order", "thread groups begin in the order of their numbers"},
};

constexpr std::array known_observations = {
    Entry{"full-waves", "a group that is a multiple of the wave has full waves only (not promised here)"},
    Entry{"early-exit", "lanes beside break and continue are as in the source (not promised here)"},
    Entry{"group-progress", "thread groups that have begun make progress (not promised here)"},
    Entry{"group-order", "thread groups begin in the order of their numbers (not promised here)"},
    Entry{"linear-lanes", "lane i of wave w is thread w·W + i of a one-dimensional group"},
    Entry{"num-subgroups", "NumSubgroups in a partly filled group"},
    Entry{"subgroup-id", "SubgroupId in a group whose rows are no multiple of the wave"},
    Entry{"denormals-f16", "16-bit float addition and denormals"},
    Entry{"denormals-f32", "32-bit float addition and denormals"},
    Entry{"denormals-f64", "64-bit float addition and denormals"},
};

template <typename Entries>
std::string describe(const Entries& entries, std::string_view name) {
  const auto* entry = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  return std::string(entry == entries.end() ? name : entry->description);
}

}  // namespace

Promise& Verdicts::promise(std::string_view name) {
  const auto found = std::find_if(promises_.begin(), promises_.end(), [&](const Promise& p) { return p.name == name; });
  if (found != promises_.end()) {
    return *found;
  }
  return promises_.emplace_back(Promise{std::string(name), describe(known_promises, name), wave_size_, true, {}});
}

void Verdicts::checked(std::string_view name) { promise(name); }

void Verdicts::broken(std::string_view name, std::string detail) {
  Promise& broken_promise = promise(name);
  if (broken_promise.kept) {
    broken_promise.kept = false;
    broken_promise.detail = std::move(detail);
  }
}

bool Verdicts::has_checked(std::string_view name) const {
  return std::any_of(promises_.begin(), promises_.end(), [&](const Promise& p) { return p.name == name; });
}

void Verdicts::observed(std::string_view name, std::string value) {
  observations_.push_back({std::string(name), describe(known_observations, name), wave_size_, std::move(value)});
}

}  // namespace crosslane::conformance
