// The tables of handlers, by instruction and element. Each is compiled for several instruction sets; the machine's best
// is taken at run time. All return null for what they do not know.
#pragma once

#include <cstdint>

#include <spirv/unified1/spirv.hpp11>

#include "machine/element.hpp"
#include "machine/op.hpp"

namespace crosslane::machine {

/// Instructions that SPIR-V spells as parts of others, or only as extended instructions.
enum class IntegerOp : std::uint8_t {
  multiply_high_unsigned,
  multiply_high_signed,
  carry,   ///< 1 where a + b does not fit
  borrow,  ///< 1 where a < b
  minimum_unsigned,
  maximum_unsigned,
  minimum_signed,
  maximum_signed,
  clamp_unsigned,
  clamp_signed,
  absolute,
  sign,
  lowest_bit,            ///< FindILsb: −1 for none
  highest_bit_signed,    ///< FindSMsb
  highest_bit_unsigned,  ///< FindUMsb
};

/// SPIR-V's integer, shift and bit instructions: dst, operands a, b, c, d all of `element`; count elements.
Handler integer_handler(spv::Op opcode, Element element);
Handler integer_handler(IntegerOp operation, Element element);

/// Comparisons of integers and floats, tests of floats, logical instructions: dst is a row of booleans.
Handler comparison_handler(spv::Op opcode, Element element);

/// dst = a (booleans) ? b : c, of elements with that many bytes.
Handler select_handler(std::uint32_t bytes);

/// SPIR-V's float arithmetic.
Handler float_handler(spv::Op opcode, Element element);

/// a × b + c in one rounding.
Handler fma_handler(Element element);

/// Conversions between numbers. `from_signed` and `to_signed` say how integers are meant; floats that no integer can
/// hold become the nearest one that it can, NaN 0.
Handler convert_handler(Element from, bool from_signed, Element to, bool to_signed);

/// Rounds to 16 bits and back; denormals become zero.
Handler quantize_handler();

/// dst = a, `count` bytes.
Handler copy_handler();
/// dst = a where lanes are active, `count` elements of that many bytes.
Handler masked_copy_handler(std::uint32_t bytes);
/// dst = 0, `count` bytes.
Handler zero_handler();

}  // namespace crosslane::machine
