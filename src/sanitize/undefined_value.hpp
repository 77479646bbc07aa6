// Undefined values that matter: stored to a buffer, branched on, used as an address or by an atomic. Their cause gives
// the id: lane-out-of-range, lane-inactive, uninitialized-read, buffer-out-of-bounds or undefined-arithmetic.
#pragma once

#include <map>
#include <string>

#include "machine/observer.hpp"
#include "sanitize/reporter.hpp"

namespace crosslane::sanitize {

class UndefinedValue final : public machine::Observer {
 public:
  explicit UndefinedValue(Reporter& reporter) : reporter_(reporter) {}

  bool on_undefined(const machine::Wave& wave, const machine::OpSource& source,
                    const machine::UndefinedEvent& event) override;
  void on_undefined_use(const machine::Wave& wave, const machine::OpSource& source,
                        const machine::UndefinedUse& use) override;

 private:
  [[nodiscard]] bool is_defined(machine::Cause cause) const;
  void report_use(const machine::Wave& wave, const machine::OpSource& source, machine::Use use, machine::Mask lanes,
                  machine::Origin origin);

  Reporter& reporter_;
  /// How values became undefined the first time.
  struct Example {
    std::string text;
    std::uint32_t root = machine::no_register;
  };
  std::map<machine::Origin, Example> examples_;
};

}  // namespace crosslane::sanitize
