// What the sanitizers find in whatever runs on a device of the wave machine.
#pragma once

#include <string>
#include <utility>

#include "device/machine/device.hpp"
#include "sanitize/describe.hpp"
#include "sanitize/dispatch_watcher.hpp"
#include "support/expected.hpp"

namespace crosslane::test {

class Watching {
 public:
  Watching(Device& device, Rules rules) : watcher_(rules) {
    must(machine::watch(device, {.observer = &watcher_, .undefined_values = true}));
  }

  /// What all dispatches so far showed, as text; empty where there is nothing but notes.
  [[nodiscard]] std::string faults() {
    CheckReport report;
    for (auto& finding : watcher_.take()) {
      if (finding.severity != Severity::note) {
        report.findings.push_back(std::move(finding));
      }
    }
    return describe(report);
  }

 private:
  sanitize::DispatchWatcher watcher_;
};

}  // namespace crosslane::test
