// AMD's compiler without AMD's hardware: Mesa's RADV compiles for a chip that is named and has a null device run it.
#pragma once

#include <string>

#include "cli/child_process.hpp"
#include "crosslane/error.hpp"

namespace crosslane::cli {

/// The environment in which the one Vulkan device is RADV's null device for that chip: "navi21", "vega10", "polaris10".
/// Errors: `invalid_argument` for names that can be no chip's; `device` where Mesa's RADV is not installed.
Expected<Environment> amd_environment(const std::string& chip);

}  // namespace crosslane::cli
