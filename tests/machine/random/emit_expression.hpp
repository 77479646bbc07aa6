// Expressions in SPIR-V.
#pragma once

#include <string>

#include "machine/random/emit_text.hpp"
#include "machine/random/emit_variables.hpp"
#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

class ExpressionEmitter {
 public:
  /// Portable ones ask for nothing that SPIR-V leaves open.
  ExpressionEmitter(SpirvText& text, const VariableEmitter& variables, bool portable)
      : text_(text), variables_(variables), portable_(portable) {}

  /// The name of its result.
  [[nodiscard]] std::string value(const Expression& expression) const;

 private:
  SpirvText& text_;
  const VariableEmitter& variables_;
  bool portable_;
};

}  // namespace crosslane::machine_tests
