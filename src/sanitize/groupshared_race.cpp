#include "sanitize/groupshared_race.hpp"

#include "sanitize/race_finding.hpp"
#include "sanitize/severity.hpp"

namespace crosslane::sanitize {

void GroupsharedRace::on_race(const machine::Wave& wave, const Race& race) {
  if (race.memory != MemoryClass::groupshared) {
    return;
  }
  const auto severity = race_severity(reporter_.rules(), race.relation, race.same_value);
  const bool at_once = race.relation == Relation::same_instruction;
  report_race(reporter_, clocks_, wave, race, "groupshared-race", severity,
              race.same_value ? "both write the same value, and nothing orders the two."
              : at_once       ? "in the same instruction another value: which one stays is not defined."
                              : "and nothing orders the two.",
              at_once ? "Let one lane write, give every lane a place of its own, or use an atomic."
                      : "Put a barrier that orders groupshared memory between the two, "
                        "{GroupMemoryBarrierWithGroupSync()|barrier()}, or let every thread use places of its own.");
}

}  // namespace crosslane::sanitize
