// The statements of a function in SPIR-V: structured control flow.
#pragma once

#include "machine/random/emit_blocks.hpp"
#include "machine/random/emit_expression.hpp"
#include "machine/random/emit_text.hpp"
#include "machine/random/emit_variables.hpp"
#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

/// What the statements of one function are emitted with.
struct FunctionEmitters {
  SpirvText& text;
  BlockEmitter& blocks;
  VariableEmitter& variables;
  const ExpressionEmitter& expressions;
};

/// All of the function's statements, from the block at hand to the last return. An entry point returns nothing.
void emit_statements(const FunctionEmitters& with, const Function& function, bool is_entry_point);

}  // namespace crosslane::machine_tests
