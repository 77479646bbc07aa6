#include "compile/spirv_questions.hpp"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <vector>

namespace crosslane::compile {

using spirv::Instruction;

std::size_t count_instructions(std::span<const std::uint32_t> words, const IsSuch& is_such) {
  std::size_t count = 0;
  const auto parsed = spirv::parse(words, [&](const Instruction& instruction) -> Expected<void> {
    count += is_such(instruction) ? 1 : 0;
    return {};
  });
  return parsed ? count : 0;
}

bool counts_lanes_behind_loop(std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> merge_blocks;
  std::uint32_t block = 0;
  return any_instruction(words, [&](const Instruction& instruction) {
    if (instruction.opcode == spv::OpLoopMerge) {
      merge_blocks.push_back(instruction.words[1]);
    } else if (instruction.opcode == spv::OpLabel) {
      block = instruction.result_id;
    }
    return instruction.opcode == spv::OpGroupNonUniformBallotBitCount &&
           std::ranges::find(merge_blocks, block) != merge_blocks.end();
  });
}

}  // namespace crosslane::compile
