// Checks a SPIR-V binary against the rules of SPIR-V and of an environment.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "crosslane/error.hpp"

namespace crosslane::spirv {

struct ValidationOptions {
  /// "vulkan1.2", "vulkan1.3", "spv1.5", … as SPIRV-Tools' --target-env names them.
  std::string_view environment = "vulkan1.2";
  bool scalar_block_layout = false;  ///< allows the layouts of VK_EXT_scalar_block_layout
  bool local_size_id = false;        ///< allows LocalSizeId below Vulkan 1.3 (VK_KHR_maintenance4)
};

/// Errors: `invalid_input` with SPIRV-Tools' messages as reasons; `invalid_argument` for an unknown environment.
Expected<void> validate(std::span<const std::uint32_t> words, const ValidationOptions& options = {});

}  // namespace crosslane::spirv
