// The wave machine: a device that runs compute shaders on the host's processor, at any wave size, without a driver.
#pragma once

#include <cstdint>
#include <memory>

#include "crosslane/device.hpp"

namespace crosslane::machine {

constexpr std::uint32_t default_wave_size = 32;

/// Loop iterations of threads that suit any shader which is not meant to keep the machine busy for minutes.
constexpr std::uint64_t default_iterations = std::uint64_t{1} << 32U;

/// What the device says of itself with waves of `wave_size` lanes as its standard size.
DeviceInfo describe_device(std::uint32_t wave_size = default_wave_size);

/// Opens it. Any pipeline may ask for a wave size of its own, from 1 to 128 lanes. A dispatch in which no thread group
/// ends while threads go round loops `most_iterations` times, all together, is given up: its submission fails with
/// `device`. Errors: `invalid_argument` for a wave size that cannot be.
Expected<std::unique_ptr<Device>> create_device(std::uint32_t wave_size = default_wave_size,
                                                std::uint64_t most_iterations = default_iterations);

}  // namespace crosslane::machine
