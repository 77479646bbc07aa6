// Devices that have nothing but limits, for tests of plans.
#pragma once

#include <cstdint>

#include "crosslane/device.hpp"

namespace crosslane::test {

inline DeviceInfo device_of(std::uint64_t binding_bytes, std::uint64_t alignment, std::uint32_t groups = 65535) {
  DeviceInfo device;
  device.limits.binding_bytes = binding_bytes;
  device.limits.binding_alignment = alignment;
  device.limits.groups = {groups, groups, groups};
  return device;
}

}  // namespace crosslane::test
