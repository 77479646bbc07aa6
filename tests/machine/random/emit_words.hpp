// Words in SPIR-V that expressions are made of: truths as numbers, low bits, and what a thread knows of itself.
#pragma once

#include <cstdint>
#include <string>

#include "machine/random/emit_text.hpp"
#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

/// Whether a number is not 0.
std::string truth_of(SpirvText& text, const std::string& value);

/// 1 or 0.
std::string number_of(SpirvText& text, const std::string& condition);

std::string low_bits(SpirvText& text, const std::string& value, std::uint32_t mask);

std::string load_input(SpirvText& text, Input which);

}  // namespace crosslane::machine_tests
