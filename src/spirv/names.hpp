// The names that the SPIR-V specification gives to its numbers, for messages.
#pragma once

#include <cstdint>
#include <string>

namespace crosslane::spirv {

/// "GroupNonUniformShuffle" for 65; the number itself where it has no name, as for all of these.
std::string capability_name(std::uint32_t capability);

/// "MaximallyReconvergesKHR" for 6023.
std::string execution_mode_name(std::uint32_t mode);

/// "GLCompute" for 5.
std::string execution_model_name(std::uint32_t model);

}  // namespace crosslane::spirv
