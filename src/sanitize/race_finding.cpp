#include "sanitize/race_finding.hpp"

#include <utility>

#include <fmt/format.h>

#include "machine/group.hpp"

namespace crosslane::sanitize {
namespace {

// Of the earlier access, whose wave need not exist any more.
std::string earlier_name(const Clocks& clocks, const machine::Wave& wave, const Race& race) {
  if (race.relation == Relation::other_group) {
    const auto& count = wave.group->count;
    const auto group = clocks.group_of(race.earlier);
    return fmt::format("a thread of group ({}, {}, {})", group % count[0], group / count[0] % count[1],
                       group / count[0] / count[1]);
  }
  return lane_name(wave.group->waves[clocks.wave_of(race.earlier)], clocks.lane_of(race.earlier));
}

}  // namespace

std::string access_name(machine::AccessKind kind, const std::string& memory) {
  switch (kind) {
    case machine::AccessKind::read:
      return "reads " + memory;
    case machine::AccessKind::write:
      return "writes " + memory;
    default:
      return "changes " + memory + " by an atomic";
  }
}

void report_race(Reporter& reporter, const Clocks& clocks, const machine::Wave& wave, const Race& race, std::string id,
                 Severity severity, const std::string& why, std::string hint) {
  const FindingKey key{id, race.later_source, race.earlier_source,
                       static_cast<std::uint32_t>(race.relation) * 4U + static_cast<std::uint32_t>(severity)};
  if (reporter.is_known(key)) {
    return;
  }
  const auto lane = clocks.lane_of(race.later);
  auto finding = finding_at(wave, machine::first_lanes(lane + 1) - machine::first_lanes(lane), std::move(id), severity);
  const auto memory = reporter.memory_name(race.address);
  finding.message = fmt::format("{} {}, {} {}{} {}", lane_name(wave, lane), access_name(race.later_kind, memory),
                                earlier_name(clocks, wave, race), access_name(race.earlier_kind, "the same place"),
                                why.starts_with("and") ? "," : ":", why);
  finding.locations = {reporter.location(race.later_source, access_name(race.later_kind, memory)),
                       reporter.location(race.earlier_source, access_name(race.earlier_kind, memory))};
  finding.values = {reporter.place_name(wave, race.address)};
  reporter.add_size_note(finding, race.address.root);
  finding.hint = std::move(hint);
  reporter.add(key, std::move(finding));
}

}  // namespace crosslane::sanitize
