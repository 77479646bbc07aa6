// barrier-divergence: a barrier that not every thread of the group reaches, or that waves reach at different places.
#pragma once

#include "machine/observer.hpp"
#include "sanitize/reporter.hpp"

namespace crosslane::sanitize {

class BarrierDivergence final : public machine::Observer {
 public:
  explicit BarrierDivergence(Reporter& reporter) : reporter_(reporter) {}
  void on_barrier_missed(const machine::Group& group) override;

 private:
  Reporter& reporter_;
};

}  // namespace crosslane::sanitize
