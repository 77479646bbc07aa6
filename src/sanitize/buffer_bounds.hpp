// buffer-out-of-bounds for stores and atomics; what is read outside is an undefined value (undefined_value.hpp).
#pragma once

#include "machine/observer.hpp"
#include "sanitize/reporter.hpp"

namespace crosslane::sanitize {

class BufferBounds final : public machine::Observer {
 public:
  explicit BufferBounds(Reporter& reporter) : reporter_(reporter) {}
  void on_access(const machine::Wave& wave, const machine::OpSource& source,
                 const machine::MemoryEvent& event) override;

 private:
  Reporter& reporter_;
};

}  // namespace crosslane::sanitize
