// What a physical device says of itself, in this library's terms.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <vulkan/vulkan_core.h>

#include "crosslane/device.hpp"
#include "device/checks.hpp"
#include "device/vulkan/features.hpp"

namespace crosslane::vulkan {

/// Which float behaviours a shader may ask for; index 0 is for 16-bit floats, 1 for 32-bit, 2 for 64-bit.
struct FloatControls {
  std::array<bool, 3> denormals_preserved{};
  std::array<bool, 3> denormals_flushed{};
  std::array<bool, 3> special_values_preserved{};
  std::array<bool, 3> rounds_to_even{};
  std::array<bool, 3> rounds_to_zero{};
};

struct Description {
  DeviceInfo info;
  Features features;              ///< enabled on the device
  std::uint32_t api_version = 0;  ///< that the device is used with
  VkSubgroupFeatureFlags wave_operations = 0;
  FloatControls float_controls;
  bool partitioned = false;  ///< VK_NV_shader_subgroup_partitioned is enabled
  bool non_semantic_info = false;
  std::uint64_t uniform_alignment = 1;  ///< bytes
  std::uint64_t uniform_bytes = 0;      ///< largest range of one uniform buffer binding
  std::uint32_t sets = 0;               ///< descriptor sets of one pipeline
  std::uint32_t stage_storage_buffers = 0;
  std::uint32_t stage_uniform_buffers = 0;
  std::uint32_t stage_storage_images = 0;  ///< storage texel buffers among them
  std::uint32_t stage_sampled_images = 0;  ///< uniform texel buffers among them
  std::uint32_t stage_samplers = 0;
  std::uint64_t texels = 0;                   ///< of one texel buffer
  std::uint32_t waves_per_group = 0;          ///< where a wave size is asked for
  std::array<std::uint32_t, 3> group_size{};  ///< threads per dimension
  double timestamp_period = 0;                ///< nanoseconds per tick
  std::uint32_t timestamp_bits = 0;
};

}  // namespace crosslane::vulkan
