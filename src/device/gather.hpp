// Finds the devices of every back end in this build.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/choose.hpp"

namespace crosslane {

struct GatherOptions {
  /// Turns on the back ends' validation layers where they are installed.
  bool validation = false;
};

/// Devices of all back ends. A back end that cannot be used is a failure in the list, not an error. The list and the
/// devices opened from it keep what they need alive.
DeviceList gather_devices(const GatherOptions& options = {});

}  // namespace crosslane
