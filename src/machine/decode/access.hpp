// Loads and stores through any pointer.
#pragma once

#include "machine/decode/decoder.hpp"
#include "machine/memory.hpp"
#include "machine/observer.hpp"

namespace crosslane::machine {

/// The value that the pointer points at.
Expected<Value> load(Decoder& decoder, const spirv::Statement& statement, const Pointer& pointer);

/// Stores a value, in active lanes.
Expected<void> store(Decoder& decoder, const spirv::Statement& statement, const Pointer& pointer, const Value& value);

/// Tells an observer, where there is one, of an access with the operands of `op`, a draft of a load, store or atomic,
/// and follows undefined values through it. `plan` says what the operands do not.
void observe_access(Decoder& decoder, const Pointer& pointer, const DraftOp& op, Element element, AccessPlan plan);

/// How pointers of a kind are given to operations; `rooted` for those that are not in memory at all.
AddressMode address_mode(const Pointer& pointer);

/// True where the memory belongs to one thread group.
bool is_groupshared(const Pointer& pointer);

}  // namespace crosslane::machine
