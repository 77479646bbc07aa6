// Finds the devices of every back end in this build.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crosslane/machine.hpp"
#include "device/choose.hpp"

namespace crosslane {

struct GatherOptions {
  /// Turns on the back ends' validation layers where they are installed.
  bool validation = false;
  /// Loop iterations of the wave machine, see machine::create_device.
  std::uint64_t machine_iterations = machine::default_iterations;
};

/// Devices of all back ends. A back end that cannot be used is a failure in the list, not an error. The list and the
/// devices opened from it keep what they need alive.
DeviceList gather_devices(const GatherOptions& options = {});

}  // namespace crosslane
