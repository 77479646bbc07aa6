// The sizes of waves that the algorithms run in.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"

namespace crosslane {

/// Errors: `unsupported` where the device's waves have no such size, and for sizes that are no powers of two, which
/// only the wave machine has: the lanes of a wave are paired off, and a thread group is made of whole waves. `asked` is
/// nothing for the device's standard size.
Expected<void> check_wave_size(const DeviceInfo& device, std::optional<std::uint32_t> asked);

/// Those that pipelines may ask the device for, rising; none where it has no choice.
std::vector<std::uint32_t> chosen_wave_sizes(const DeviceInfo& device);

}  // namespace crosslane
