// groupshared-race: threads of a group access groupshared memory, one of them writes, and nothing orders them.
#pragma once

#include "sanitize/race_detector.hpp"
#include "sanitize/reporter.hpp"

namespace crosslane::sanitize {

class GroupsharedRace final : public RaceListener {
 public:
  GroupsharedRace(Reporter& reporter, const Clocks& clocks) : reporter_(reporter), clocks_(clocks) {}
  void on_race(const machine::Wave& wave, const Race& race) override;

 private:
  Reporter& reporter_;
  const Clocks& clocks_;
};

}  // namespace crosslane::sanitize
