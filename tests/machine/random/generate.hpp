// Random programs.
#pragma once

#include <cstdint>

#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

/// The program of that number; always the same one. A portable one asks for nothing that SPIR-V leaves open and for no
/// rare operation, so that other devices run it too.
Program generate(std::uint32_t seed, bool portable = false);

}  // namespace crosslane::machine_tests
