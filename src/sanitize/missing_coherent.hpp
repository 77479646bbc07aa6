// missing-coherent: a group reads or overwrites what another one wrote, in the right order, but in memory that is not
// declared coherent, so that it may see what was there before.
#pragma once

#include "sanitize/race_detector.hpp"
#include "sanitize/reporter.hpp"

namespace crosslane::sanitize {

class MissingCoherent final : public RaceListener {
 public:
  MissingCoherent(Reporter& reporter, const Clocks& clocks) : reporter_(reporter), clocks_(clocks) {}
  void on_race(const machine::Wave& wave, const Race& race) override;

 private:
  Reporter& reporter_;
  const Clocks& clocks_;
};

}  // namespace crosslane::sanitize
