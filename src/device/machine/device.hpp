// The back end that computes on the host's processor: the wave machine as a device.
#pragma once

#include <cstdint>
#include <memory>

#include "crosslane/device.hpp"
#include "machine/observer.hpp"

namespace crosslane::machine {

/// What the device says of itself with waves of `wave_size` lanes as its standard size.
DeviceInfo describe_device(std::uint32_t wave_size = 32);

/// Opens it. Any pipeline may ask for a wave size of its own, from 1 to 128 lanes.
/// Errors: `invalid_argument` for a wave size that cannot be.
Expected<std::unique_ptr<Device>> create_device(std::uint32_t wave_size = 32);

/// From now on pipelines of `device` are made to be watched, and what is submitted is told to `observer`, which must
/// live on; null ends that. Errors: `unsupported` for a device that is not the wave machine.
Expected<void> observe(Device& device, Observer* observer);

}  // namespace crosslane::machine
