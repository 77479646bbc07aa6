#include "machine/decode/function_facts.hpp"

#include <unordered_map>
#include <utility>

namespace crosslane::machine {
namespace {

using spv::Op;

std::unordered_set<std::uint32_t> escaping_results(const spirv::Module& module, const spirv::Function& function,
                                                   const spirv::Structure& structure) {
  std::unordered_map<std::uint32_t, std::uint32_t> loop_of;
  for (const auto block : structure.order) {
    const auto loop = structure.innermost_loop(structure.construct_of[block]);
    for (const auto& statement : function.blocks[block].statements) {
      if (loop != 0 && statement.result_id != 0) {
        loop_of[statement.result_id] = loop;
      }
    }
  }
  std::unordered_set<std::uint32_t> escaping;
  const auto note = [&](std::uint32_t id, std::uint32_t block) {
    const auto found = loop_of.find(id);
    if (found != loop_of.end() && !structure.contains(found->second, structure.construct_of[block])) {
      escaping.insert(id);
    }
  };
  for (const auto block : structure.order) {
    for (const auto& statement : function.blocks[block].statements) {
      const auto words = module.operands(statement);
      if (statement.opcode == Op::OpPhi) {
        for (std::size_t word = 2; word + 1 < words.size(); word += 2) {
          const auto parent = structure.block_of_label.find(words[word + 1]);
          note(words[word], parent == structure.block_of_label.end() ? block : parent->second);
        }
        continue;
      }
      // Literals that look like ids do no harm.
      for (const auto word : words) {
        note(word, block);
      }
    }
  }
  return escaping;
}

}  // namespace

Expected<FunctionFacts> make_facts(const spirv::Module& module, const spirv::Function& function) {
  auto structure = spirv::make_structure(module, function);
  if (!structure) {
    return tl::unexpected<Error>(std::move(structure.error()));
  }
  auto escaping = escaping_results(module, function, *structure);
  return FunctionFacts{std::move(*structure), std::move(escaping)};
}

}  // namespace crosslane::machine
