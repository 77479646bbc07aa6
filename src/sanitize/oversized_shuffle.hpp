// oversized-shuffle: no lane of the wave finds the lane that it reads, as where a distance suits larger waves alone. A
// note; where the values matter, lane-out-of-range tells it.
#pragma once

#include "machine/observer.hpp"
#include "sanitize/reporter.hpp"

namespace crosslane::sanitize {

class OversizedShuffle final : public machine::Observer {
 public:
  explicit OversizedShuffle(Reporter& reporter) : reporter_(reporter) {}
  void on_cross_lane(const machine::Wave& wave, const machine::OpSource& source,
                     const machine::CrossLaneEvent& event) override;

 private:
  Reporter& reporter_;
};

}  // namespace crosslane::sanitize
