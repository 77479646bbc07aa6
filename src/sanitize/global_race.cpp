#include "sanitize/global_race.hpp"

#include <string>

#include "sanitize/race_finding.hpp"
#include "sanitize/severity.hpp"

namespace crosslane::sanitize {
namespace {

std::string hint_for(Relation relation) {
  switch (relation) {
    case Relation::same_instruction:
      return "Give every thread a place of its own, or use an atomic.";
    case Relation::other_group:
      return "Groups are ordered by atomics with fences around them alone: release before the atomic that says so, "
             "acquire after the one that sees it; or use two dispatches.";
    default:
      return "Put a barrier that orders buffers between the two, "
             "{AllMemoryBarrierWithGroupSync()|barrier() between two memoryBarrierBuffer(), for images "
             "memoryBarrierImage()}; one for groupshared memory does not.";
  }
}

}  // namespace

void GlobalRace::on_race(const machine::Wave& wave, const Race& race) {
  if (race.memory != MemoryClass::buffer || race.not_coherent) {
    return;
  }
  const auto severity = race_severity(reporter_.rules(), race.relation, race.same_value);
  report_race(reporter_, clocks_, wave, race, "global-race", severity,
              race.same_value ? "both write the same value, and nothing orders the two."
              : race.relation == Relation::same_instruction
                  ? "in the same instruction another value: which one stays is not defined."
                  : "and nothing orders the two.",
              hint_for(race.relation));
}

}  // namespace crosslane::sanitize
