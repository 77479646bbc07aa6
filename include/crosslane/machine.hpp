// The wave machine: a device that runs compute shaders on the host's processor, at any wave size, without a driver.
#pragma once

#include <cstdint>
#include <memory>

#include "crosslane/device.hpp"

namespace crosslane::machine {

/// What the device says of itself with waves of `wave_size` lanes as its standard size.
DeviceInfo describe_device(std::uint32_t wave_size = 32);

/// Opens it. Any pipeline may ask for a wave size of its own, from 1 to 128 lanes.
/// Errors: `invalid_argument` for a wave size that cannot be.
Expected<std::unique_ptr<Device>> create_device(std::uint32_t wave_size = 32);

}  // namespace crosslane::machine
