// What a shader needs, compared with what the device has enabled.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/vulkan/physical_device.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::vulkan {

/// True where shaders on the device may declare the capability of that number in SPIR-V.
bool allows_capability(const Description& device, std::uint32_t number);

/// What the shader needs and the device lacks, in words: "capability Float16", "extension SPV_…", …; empty if nothing.
std::vector<std::string> missing_on(const Description& device, const spirv::Reflection& shader);

}  // namespace crosslane::vulkan
