// What is the same for every call of a function.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "crosslane/error.hpp"
#include "spirv/module.hpp"
#include "spirv/structure.hpp"

namespace crosslane::machine {

struct FunctionFacts {
  spirv::Structure structure;
  /// Results that are used outside of the innermost loop around their definition: lanes that left the loop keep theirs
  /// while others go round again.
  std::unordered_set<std::uint32_t> escaping;
};

/// Errors: `invalid_input` for control flow without structure.
Expected<FunctionFacts> make_facts(const spirv::Module& module, const spirv::Function& function);

}  // namespace crosslane::machine
