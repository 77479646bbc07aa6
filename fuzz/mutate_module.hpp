// Small changes to SPIR-V modules that leave the stream of instructions whole.
#pragma once

#include <cstdint>
#include <vector>

namespace crosslane::fuzz {

/// Changes a few instructions, chosen by `seed`: another operand, another opcode, one instruction less, more or at
/// another place. False, and nothing done, for words that are no stream of instructions.
bool mutate_module(std::vector<std::uint32_t>& words, std::uint32_t seed);

}  // namespace crosslane::fuzz
