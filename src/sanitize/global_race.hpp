// global-race: threads access the same place of a buffer, one of them writes, and nothing orders them.
#pragma once

#include "sanitize/race_detector.hpp"
#include "sanitize/reporter.hpp"

namespace crosslane::sanitize {

class GlobalRace final : public RaceListener {
 public:
  GlobalRace(Reporter& reporter, const Clocks& clocks) : reporter_(reporter), clocks_(clocks) {}
  void on_race(const machine::Wave& wave, const Race& race) override;

 private:
  Reporter& reporter_;
  const Clocks& clocks_;
};

}  // namespace crosslane::sanitize
