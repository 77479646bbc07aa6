// Questions that probes ask about a SPIR-V module. Words that are no module answer every one with no.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "spirv/parse.hpp"

namespace crosslane::compile {

using IsSuch = std::function<bool(const spirv::Instruction&)>;

/// How many instructions are such.
std::size_t count_instructions(std::span<const std::uint32_t> words, const IsSuch& is_such);

inline bool any_instruction(std::span<const std::uint32_t> words, const IsSuch& is_such) {
  return count_instructions(words, is_such) > 0;
}

/// Whether lanes are counted (WaveActiveCountBits) in a block where a loop's lanes have met again.
bool counts_lanes_behind_loop(std::span<const std::uint32_t> words);

}  // namespace crosslane::compile
