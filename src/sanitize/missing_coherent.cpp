#include "sanitize/missing_coherent.hpp"

#include "sanitize/race_finding.hpp"

namespace crosslane::sanitize {

void MissingCoherent::on_race(const machine::Wave& wave, const Race& race) {
  if (race.not_coherent) {
    report_race(reporter_, clocks_, wave, race, "missing-coherent", Severity::error,
                "in this order, but through memory that is not declared coherent.",
                "Declare the buffer {globallycoherent|coherent}.");
  }
}

}  // namespace crosslane::sanitize
