// The sizes of waves that the algorithms run in.
#pragma once

#include <cstdint>
#include <optional>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"

namespace crosslane {

/// Errors: `unsupported` where the device's waves have no such size, and for sizes that are no powers of two, which
/// only the wave machine has: the lanes of a wave are paired off, and a thread group is made of whole waves. `asked` is
/// nothing for the device's standard size.
Expected<void> check_wave_size(const DeviceInfo& device, std::optional<std::uint32_t> asked);

}  // namespace crosslane
