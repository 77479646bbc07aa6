#include "measure/rounds.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace crosslane::measure {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool all_narrow(const std::vector<std::vector<double>>& times, double enough) {
  return std::ranges::all_of(
      times, [&](const std::vector<double>& samples) { return estimate_median(samples).relative_width() <= enough; });
}

}  // namespace

std::string_view name(Stop stop) {
  switch (stop) {
    case Stop::narrow:
      return "narrow";
    case Stop::time_up:
      return "time-up";
    default:
      return "most-rounds";
  }
}

Expected<Rounds> take_turns(std::span<const Sample> samples, const RoundsOptions& options) {
  const auto seconds = options.seconds ? options.seconds : steady_seconds;
  Rounds rounds;
  rounds.times_ms.resize(samples.size());
  const auto take_round = [&](bool counts) -> Expected<void> {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      Expected<double> time = samples[i]();
      if (!time) {
        return tl::unexpected(std::move(time.error()));
      }
      if (counts) {
        rounds.times_ms[i].push_back(*time);
      }
    }
    return {};
  };

  const double begin = seconds();
  for (std::uint32_t round = 0; round < options.warm_up; ++round) {
    if (auto taken = take_round(false); !taken) {
      return tl::unexpected(std::move(taken.error()));
    }
  }
  std::uint32_t look = options.least;  // intervals are worked out at ever larger steps, a tenth of what there is
  for (std::uint32_t done = 1;; ++done) {
    if (auto taken = take_round(true); !taken) {
      return tl::unexpected(std::move(taken.error()));
    }
    const double spent = seconds() - begin;
    if (options.progress) {
      options.progress(options.most_seconds > 0.0 ? std::min(spent / options.most_seconds, 1.0) : 1.0);
    }
    if (done >= look) {
      if (spent >= options.least_seconds && all_narrow(rounds.times_ms, options.enough)) {
        rounds.stop = Stop::narrow;
        return rounds;
      }
      look = done + std::max(1U, done / 10);
    }
    if (done >= options.most) {
      rounds.stop = Stop::most_rounds;
      return rounds;
    }
    if (done >= options.least && spent >= options.most_seconds) {
      rounds.stop = Stop::time_up;
      return rounds;
    }
  }
}

double rounds_to_settle(const Estimate& estimate, double threshold) {
  const double distance = std::abs(estimate.median - threshold);
  const double half_width = (estimate.interval.high - estimate.interval.low) / 2.0;
  const double more = half_width / distance;
  return distance == 0.0 ? std::numeric_limits<double>::infinity() : std::max(1.0, more * more);
}

}  // namespace crosslane::measure
