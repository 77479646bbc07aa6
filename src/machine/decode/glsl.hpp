// The instructions of GLSL.std.450. `instruction` is the number that it gives them; operands begin at word 4.
#pragma once

#include <cstdint>

#include "crosslane/error.hpp"
#include "machine/decode/decoder.hpp"
#include "spirv/module.hpp"

namespace crosslane::machine {

Expected<void> decode_glsl(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction);

/// Modf, Frexp, with pointer or struct, and Ldexp (decode_glsl_parts.cpp).
Expected<void> decode_glsl_parts(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction);

/// Pack… and Unpack… (decode_glsl_pack.cpp).
Expected<void> decode_glsl_pack(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction);

/// Length, Distance, Cross, Normalize, FaceForward, Reflect, Refract (decode_glsl_geometry.cpp).
Expected<void> decode_glsl_geometry(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction);

/// Determinant, MatrixInverse (decode_glsl_matrix.cpp).
Expected<void> decode_glsl_matrix(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction);

}  // namespace crosslane::machine
