// What `crosslane devices` shows, as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compile/probes.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "report/json.hpp"
#include "verify/conformance.hpp"

namespace crosslane::cli {

struct DeviceFindings {
  DeviceInfo info;
  std::optional<std::vector<std::string>>
      broken;  ///< promises that it broke when last verified; nothing if it never was
  std::optional<Expected<ConformanceReport>> conformance;  ///< of this run
};

struct Findings {
  std::vector<DeviceFindings> devices;
  std::vector<Error> without_devices;  ///< of each back end that has none, why
  Expected<compile::CompilerReport> compiler;
};

std::string devices_text(const Findings& findings);
report::Json devices_json(const Findings& findings);

}  // namespace crosslane::cli
