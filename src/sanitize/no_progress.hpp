// no-progress: a thread group waits in a loop for what never happens.
#pragma once

#include "machine/observer.hpp"
#include "sanitize/reporter.hpp"

namespace crosslane::sanitize {

class NoProgress final : public machine::Observer {
 public:
  explicit NoProgress(Reporter& reporter) : reporter_(reporter) {}
  void on_no_progress(const machine::Group& group, std::uint64_t iterations) override;

 private:
  Reporter& reporter_;
};

}  // namespace crosslane::sanitize
