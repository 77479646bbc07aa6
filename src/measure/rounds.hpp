// Samples taken in turns, A B A B …, until they say enough or the time is up.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "crosslane/error.hpp"
#include "measure/statistics.hpp"

namespace crosslane::measure {

struct RoundsOptions {
  std::uint32_t warm_up = 2;             ///< rounds before those that count
  std::uint32_t least = 11;              ///< rounds
  std::uint32_t most = 501;              ///< rounds
  double enough = 0.01;                  ///< widest interval of every median, relative to it
  double least_seconds = 0.0;            ///< goes on so long even where the intervals are narrow
  double most_seconds = 2.0;             ///< no further round begins after this, once `least` are done
  std::function<double()> seconds = {};  ///< the host's clock; nothing: the steady one
  /// Told after each round: how much of the time is up, from 0 to 1.
  std::function<void(double)> progress = {};
};

/// Why no more rounds were taken.
enum class Stop : std::uint8_t { narrow, time_up, most_rounds };

/// "narrow", "time-up" or "most-rounds".
std::string_view name(Stop stop);

struct Rounds {
  std::vector<std::vector<double>> times_ms;  ///< for each one its samples, as many as there were rounds
  Stop stop = Stop::narrow;
};

/// Takes one sample: milliseconds.
using Sample = std::function<Expected<double>()>;

/// Gives everybody a turn in every round. Errors: those of the samples.
Expected<Rounds> take_turns(std::span<const Sample> samples, const RoundsOptions& options = {});

/// How many times as many rounds would make an interval half as wide as from `median` to `threshold`: its width falls
/// with the root of their number. At least 1.
double rounds_to_settle(const Estimate& estimate, double threshold);

}  // namespace crosslane::measure
