// SPIR-V's assembly text, as spirv-as reads and spirv-dis writes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/error.hpp"

namespace crosslane::spirv {

/// The words of the module. A comment "; Version: 1.3", which spirv-dis writes, chooses the module's version; without
/// it that is 1.6. `name` stands in messages. Errors: `invalid_input` with line and column.
Expected<std::vector<std::uint32_t>> assemble(std::string_view text, const std::string& name);

}  // namespace crosslane::spirv
