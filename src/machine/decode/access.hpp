// Loads and stores through any pointer.
#pragma once

#include "machine/decode/decoder.hpp"
#include "machine/memory.hpp"

namespace crosslane::machine {

/// The value that the pointer points at.
Expected<Value> load(Decoder& decoder, const spirv::Statement& statement, const Pointer& pointer);

/// Stores a value, in active lanes.
Expected<void> store(Decoder& decoder, const spirv::Statement& statement, const Pointer& pointer, const Value& value);

/// How pointers of a kind are given to operations; `rooted` for those that are not in memory at all.
AddressMode address_mode(const Pointer& pointer);

/// True where the memory belongs to one thread group.
bool is_groupshared(const Pointer& pointer);

}  // namespace crosslane::machine
