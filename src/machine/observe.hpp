// Operations that tell a wave's observer what comes next.
#pragma once

#include <cstdint>

#include "machine/element.hpp"
#include "machine/memory.hpp"
#include "machine/observer.hpp"
#include "machine/op.hpp"

namespace crosslane::machine {

/// The instruction that the operation comes from begins.
Handler observe_instruction_handler();
/// An access with the operands of a load (memory.hpp), but for count: a place in Program::accesses. b is what is
/// written.
Handler observe_access_handler(AddressMode mode);
/// A read or write of texels with the operands of image_ops.hpp, but for count: a place in Program::accesses, whose
/// components are those of the registers. dst, where undefined values are followed, is what is read.
Handler observe_texels_handler(Element element);
/// A shuffle that reads the lanes in b.
Handler observe_cross_lane_handler();
/// A fence or a barrier of a wave: imm is a place in Program::barriers.
Handler observe_fence_handler();

}  // namespace crosslane::machine
