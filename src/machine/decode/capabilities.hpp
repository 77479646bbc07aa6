// What a module may ask for.
#pragma once

#include <cstdint>

#include "crosslane/error.hpp"
#include "spirv/module.hpp"

namespace crosslane::machine {

/// Errors: `unsupported` for a capability, memory model or execution mode of the entry point that the machine lacks,
/// with its name.
Expected<void> check_capabilities(const spirv::Module& module, std::uint32_t entry_point);

}  // namespace crosslane::machine
