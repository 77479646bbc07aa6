// Smaller programs that still fail.
#pragma once

#include <functional>

#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

/// Leaves out statements, one after the other, as long as `fails` holds for what is left.
Program shrink(Program program, const std::function<bool(const Program&)>& fails);

/// All statements, those in others too.
std::size_t count_statements(const Program& program);

}  // namespace crosslane::machine_tests
