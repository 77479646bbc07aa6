// The device that tests run on.
#pragma once

#include <cstdint>

#include "crosslane/device.hpp"
#include "crosslane/vulkan.hpp"

namespace crosslane::test {

/// Vulkan with the validation layer where it is installed; made once. From the first call on, a message of the layer
/// fails the test during which it came. Throws where Vulkan cannot be used.
vulkan::Instance& instance();

/// The device that the environment variable CROSSLANE_TEST_DEVICE names, "machine:32" for the wave machine, "d3d12:0"
/// for Direct3D 12, else the first one of Vulkan; opened once. Throws where there is none, and where its waves do not
/// have the size that the environment variable CROSSLANE_EXPECTED_WAVE_SIZE names.
Device& device();

/// Lanes per wave that the environment says; 0 if it does not say.
std::uint32_t expected_wave_size();

}  // namespace crosslane::test
