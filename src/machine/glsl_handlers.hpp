// The handlers of GLSL.std.450's float instructions: one operation on every component. All return null for what they do
// not know.
#pragma once

#include <cstdint>

#include "machine/element.hpp"
#include "machine/op.hpp"

namespace crosslane::machine {

/// Rounding, signs, minimum and maximum, mixing, steps, square roots, and the parts of a number. `instruction` is
/// GLSL.std.450's number: dst and the operands a, b, c are rows of `element`, but Ldexp's b, which are 32-bit integers.
/// Of Modf and Frexp the part that is the instruction's result.
Handler glsl_common_handler(std::uint32_t instruction, Element element);

/// Angles, trigonometry, exponentials and logarithms, likewise.
Handler glsl_transcendental_handler(std::uint32_t instruction, Element element);

/// The other part of Frexp: dst are 32-bit integers.
Handler exponent_handler(Element element);

}  // namespace crosslane::machine
