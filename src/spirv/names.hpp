// The names that the SPIR-V specification gives to its numbers, for messages.
#pragma once

#include <cstdint>
#include <string>

namespace crosslane::spirv {

/// "GroupNonUniformShuffle" for 65; "capability 99999" for a number that has no name.
std::string capability_name(std::uint32_t capability);

/// "MaximallyReconvergesKHR" for 6023; "execution mode 99999" for a number that has no name.
std::string execution_mode_name(std::uint32_t mode);

/// "GLCompute" for 5; "execution model 99999" for a number that has no name.
std::string execution_model_name(std::uint32_t model);

}  // namespace crosslane::spirv
