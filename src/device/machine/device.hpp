// Watching the wave machine as a device.
#pragma once

#include <cstdint>
#include <memory>

#include "crosslane/machine.hpp"
#include "machine/observer.hpp"

namespace crosslane::machine {

/// From now on pipelines of `device` are made to be watched, and what is submitted is told to `observer`, which must
/// live on; null ends that. Errors: `unsupported` for a device that is not the wave machine.
Expected<void> observe(Device& device, Observer* observer);

}  // namespace crosslane::machine
