// What operations on single numbers give.
#pragma once

#include <cstdint>

#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

std::uint32_t compute(Binary operation, std::uint32_t a, std::uint32_t b);

/// What changes nothing when it is combined.
std::uint32_t identity(Arithmetic operation);

/// Logical operations combine 1 and 0.
std::uint32_t combine(Arithmetic operation, std::uint32_t a, std::uint32_t b);

bool is_logical(Arithmetic operation);

}  // namespace crosslane::machine_tests
