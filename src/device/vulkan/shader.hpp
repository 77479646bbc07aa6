// A shader made fit for a device, and what it needs checked against the device's limits.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device/vulkan/physical_device.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::vulkan {

struct FittedShader {
  std::vector<std::uint32_t> words;
  spirv::Reflection shader;
  std::array<std::uint32_t, 3> group_size{};  ///< threads per group, after specialization
};

/// Reads, validates and checks the shader of a description, and rewrites it where the device needs that and its
/// meaning stays: unneeded capabilities, maximal reconvergence, tool information. `name` stands in messages.
/// Errors: `invalid_input` for SPIR-V that is malformed or invalid, `invalid_argument` for an entry point or constants
/// that the shader does not have, `unsupported` for what the device cannot do.
Expected<FittedShader> fit_shader(const Description& device, const PipelineDescription& description,
                                  const std::string& name);

}  // namespace crosslane::vulkan
