// non-uniform-broadcast: a broadcast from a lane that is not the same for all lanes of the wave.
#pragma once

#include "machine/observer.hpp"
#include "sanitize/reporter.hpp"

namespace crosslane::sanitize {

class NonUniformBroadcast final : public machine::Observer {
 public:
  explicit NonUniformBroadcast(Reporter& reporter) : reporter_(reporter) {}
  void on_cross_lane(const machine::Wave& wave, const machine::OpSource& source,
                     const machine::CrossLaneEvent& event) override;

 private:
  Reporter& reporter_;
};

}  // namespace crosslane::sanitize
