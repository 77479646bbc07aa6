// A random program as SPIR-V.
#pragma once

#include <string>

#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

/// Assembly text of a SPIR-V 1.5 module with the entry point "main". Set 0: binding 0 is the data that the program
/// reads, a word per thread; binding 1 the traces that it writes, trace_slots words per thread.
std::string emit_spirv(const Program& program);

}  // namespace crosslane::machine_tests
