// Loads, stores and atomics, and the arithmetic of addresses.
//
// A pointer is one of three things: a root that is known when the program is made, and a 32-bit byte offset; a fat
// pointer of 64 bits, the root's number plus one in the upper half and the offset in the lower; a physical address.
// Offsets that do not fit 32 bits stay at the largest one, which is outside of every root. What is read outside of a
// root is 0, what is written there is dropped.
//
// Operands of all: a offsets or pointers (rooted ones: no_register for a constant address), imm a number of bytes to
// add, aux the root, count components, extra bytes from one component to the next.
#pragma once

#include <cstdint>

#include <spirv/unified1/spirv.hpp11>

#include "machine/element.hpp"
#include "machine/op.hpp"

namespace crosslane::machine {

enum class AddressMode : std::uint8_t { rooted, fat, physical };

/// dst = memory, elements of that many bytes.
Handler load_handler(AddressMode mode, std::uint32_t bytes);
/// memory = b in active lanes; of lanes that write the same place the last one wins.
Handler store_handler(AddressMode mode, std::uint32_t bytes);

/// Variables of functions: a leaf number per lane (or no_register), b the variable's first row, imm a leaf to add, aux
/// the variable's leaves, count components, extra leaves from one to the next. Rows have `slot` bytes per lane.
Handler load_private_handler(std::uint32_t bytes, std::uint32_t slot);
/// As above, value in c.
Handler store_private_handler(std::uint32_t bytes, std::uint32_t slot);

/// dst = a + b × extra, 32 bits, no more than the largest; a may be no_register.
Handler offset_handler();
/// dst (64 bits) = a + b × extra, for physical pointers and in the lower half of fat ones, where it stays at the
/// largest.
Handler pointer_offset_handler(AddressMode mode);
/// dst (64 bits) = root `aux` + clamp(b) as fat pointer with offset a + imm; b, the descriptor's place in an array of
/// `count`, and a may be no_register.
Handler make_pointer_handler();
/// dst (32 bits) = ((bytes of a's root or of `aux`) − imm) / extra: the length of a runtime array.
Handler array_length_handler(AddressMode mode);

/// The SPIR-V atomics: b the operand, c the comparator, dst the value before (or no_register).
Handler atomic_handler(spv::Op opcode, Element element, AddressMode mode, bool groupshared);

}  // namespace crosslane::machine
