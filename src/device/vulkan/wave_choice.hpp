// Which wave size a pipeline gets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "device/vulkan/physical_device.hpp"

namespace crosslane::vulkan {

struct WaveChoice {
  std::uint32_t lanes = 0;
  bool required = false;  ///< the driver is told
  bool full = false;      ///< the driver is told that every wave is full
};

/// Chooses for a shader with thread groups of `group_size` threads. Errors: `unsupported` for a size that the device
/// does not have or cannot be asked for. `name` stands in messages.
Expected<WaveChoice> choose_wave(const Description& device, std::optional<std::uint32_t> wanted,
                                 std::array<std::uint32_t, 3> group_size, const std::string& name);

}  // namespace crosslane::vulkan
