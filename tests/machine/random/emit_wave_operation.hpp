// Wave operations in SPIR-V.
#pragma once

#include <string>
#include <vector>

#include "machine/random/emit_text.hpp"
#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

/// The result of an expression that is a wave operation, of operands that have been emitted. A portable one gives 0
/// where SPIR-V leaves open what it reads.
std::string emit_wave_operation(SpirvText& text, bool portable, const Expression& expression,
                                const std::vector<std::string>& operands);

}  // namespace crosslane::machine_tests
