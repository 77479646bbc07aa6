// Operations that tell a wave's observer what comes next.
#pragma once

#include <cstdint>

#include "machine/memory.hpp"
#include "machine/observer.hpp"
#include "machine/op.hpp"

namespace crosslane::machine {

/// The instruction that the operation comes from begins.
Handler observe_instruction_handler();
/// An access with the operands of a load (memory.hpp), but for count: see `access_shape`.
Handler observe_access_handler(AddressMode mode);
/// A shuffle that reads the lanes in b.
Handler observe_cross_lane_handler();

/// Kind, components and bytes of each in one number.
constexpr std::uint32_t access_shape(AccessKind kind, std::uint32_t components, std::uint32_t bytes) {
  return static_cast<std::uint32_t>(kind) << 24U | bytes << 16U | components;
}

}  // namespace crosslane::machine
