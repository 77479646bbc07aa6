#include "sanitize/oversized_shuffle.hpp"

#include <utility>

#include <fmt/format.h>

#include "machine/wave.hpp"

namespace crosslane::sanitize {
namespace {

constexpr std::string_view id = "oversized-shuffle";

}  // namespace

void OversizedShuffle::on_cross_lane(const machine::Wave& wave, const machine::OpSource& source,
                                     const machine::CrossLaneEvent& event) {
  bool any_inside = wave.active.count() < 2;  // of one lane nothing can be said
  machine::for_each_lane(wave.active, [&](std::uint32_t lane) { any_inside |= event.source_lanes[lane] < wave.lanes; });
  const FindingKey key{std::string(id), reporter_.number_of(source), 0, 0};
  if (any_inside || reporter_.is_known(key)) {
    return;
  }
  auto finding = finding_at(wave, wave.active, std::string(id), Severity::note);
  finding.message = fmt::format("Every lane of wave {} reads a lane beyond the wave's {}.", wave.index, wave.lanes);
  finding.locations = {reporter_.location(reporter_.number_of(source), "reads beyond the wave")};
  finding.hint = "Start distances from {WaveGetLaneCount()|gl_SubgroupSize}, or leave the step out in smaller waves.";
  reporter_.add(key, std::move(finding));
}

}  // namespace crosslane::sanitize
