#include "sanitize/barrier_divergence.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "machine/group.hpp"

namespace crosslane::sanitize {
namespace {

using machine::Wave;
using machine::WaveState;

constexpr std::string_view id = "barrier-divergence";
constexpr std::string_view waits = "waits at this barrier";

}  // namespace

void BarrierDivergence::on_barrier_missed(const machine::Group& group) {
  const auto waiting = std::ranges::find(group.waves, WaveState::at_barrier, &Wave::state);
  if (waiting == group.waves.end()) {
    return;
  }
  const auto place = waiting->stopped_at->source;
  const auto partly = std::ranges::find_if(
      group.waves, [](const Wave& wave) { return wave.state == WaveState::at_barrier && wave.active != wave.full; });
  const auto elsewhere = std::ranges::find_if(group.waves, [&](const Wave& wave) {
    return wave.state == WaveState::at_barrier && wave.stopped_at != waiting->stopped_at;
  });
  const auto ended = std::ranges::find(group.waves, WaveState::ended, &Wave::state);
  const auto other = elsewhere != group.waves.end() ? elsewhere->stopped_at->source : place;
  const FindingKey key{std::string(id), place, other, partly != group.waves.end() ? 1U : 0U};
  if (reporter_.is_known(key)) {
    return;
  }
  auto finding = finding_at(*waiting, waiting->active, std::string(id), Severity::error);
  finding.locations = {reporter_.location(place, std::string(waits))};
  if (elsewhere != group.waves.end()) {
    finding.message =
        fmt::format("Wave {} waits at one barrier and wave {} at another.", waiting->index, elsewhere->index);
    finding.locations.push_back(reporter_.location(other, std::string(waits)));
  } else if (ended != group.waves.end()) {
    finding.message = fmt::format("Wave {} waits at a barrier that wave {} does not reach: it has ended.",
                                  waiting->index, ended->index);
  } else if (partly != group.waves.end()) {
    finding = finding_at(*partly, partly->active, std::string(id), Severity::error);
    finding.locations = {reporter_.location(partly->stopped_at->source, std::string(waits))};
    finding.message = fmt::format("{} of {} lanes of wave {} reach the barrier.", partly->active.count(),
                                  partly->full.count(), partly->index);
  }
  finding.hint =
      "All threads of a group must meet at the same barrier: move it out of the branch or loop, or make the condition "
      "the same for the whole group.";
  reporter_.add(key, std::move(finding));
}

}  // namespace crosslane::sanitize
