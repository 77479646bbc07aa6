// The instructions of GLSL.std.450.
#pragma once

#include <cstdint>

#include "crosslane/error.hpp"
#include "machine/decode/decoder.hpp"
#include "spirv/module.hpp"

namespace crosslane::machine {

/// `instruction` is the number that GLSL.std.450 gives it; its operands begin at word 4.
Expected<void> decode_glsl(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction);

}  // namespace crosslane::machine
