#include "machine/decode/order.hpp"

#include <algorithm>
#include <unordered_set>

namespace crosslane::machine {
namespace {

using spv::Op;

// Atomics that come to the same in any order, if nobody looks at their results.
bool commutes(Op opcode) {
  switch (opcode) {
    case Op::OpAtomicIIncrement:
    case Op::OpAtomicIDecrement:
    case Op::OpAtomicIAdd:
    case Op::OpAtomicISub:
    case Op::OpAtomicSMin:
    case Op::OpAtomicUMin:
    case Op::OpAtomicSMax:
    case Op::OpAtomicUMax:
    case Op::OpAtomicAnd:
    case Op::OpAtomicOr:
    case Op::OpAtomicXor:
      return true;
    default:
      return false;
  }
}

bool is_atomic(Op opcode) {
  return (opcode >= Op::OpAtomicLoad && opcode <= Op::OpAtomicXor) || opcode == Op::OpAtomicFAddEXT ||
         opcode == Op::OpAtomicFMinEXT || opcode == Op::OpAtomicFMaxEXT;
}

bool in_groupshared(const spirv::Module& module, std::uint32_t pointer) {
  const auto type_id = module.type_of.find(pointer);
  const auto* type = type_id == module.type_of.end() ? nullptr : module.tables.type(type_id->second);
  return type != nullptr && type->opcode == Op::OpTypePointer &&
         static_cast<spv::StorageClass>(type->operands[0]) == spv::StorageClass::Workgroup;
}

bool declares_coherent(const spirv::Module& module) {
  const auto shared = [](const spirv::Decorations& decorations) {
    return decorations.contains(spv::Decoration::Coherent) || decorations.contains(spv::Decoration::Volatile);
  };
  for (const auto& [id, decorations] : module.tables.decorations) {
    if (shared(decorations)) {
      return true;
    }
  }
  for (const auto& [id, members] : module.tables.member_decorations) {
    for (const auto& [member, decorations] : members) {
      if (shared(decorations)) {
        return true;
      }
    }
  }
  return false;
}

// The memory operands of a load or store, 0 where it has none.
std::uint32_t memory_operands(std::span<const std::uint32_t> words, Op opcode) {
  const std::size_t word = opcode == Op::OpLoad ? 3 : 2;
  const bool has = opcode == Op::OpLoad || opcode == Op::OpStore || opcode == Op::OpCopyMemory;
  return has && words.size() > word ? words[word] : 0;
}

// True where the instruction reads or writes texels that others may see or change meanwhile.
bool shares_texels(std::span<const std::uint32_t> words, Op opcode) {
  constexpr auto shared = static_cast<std::uint32_t>(spv::ImageOperandsMask::VolatileTexel) |
                          static_cast<std::uint32_t>(spv::ImageOperandsMask::MakeTexelAvailable) |
                          static_cast<std::uint32_t>(spv::ImageOperandsMask::MakeTexelVisible);
  const std::size_t word = opcode == Op::OpImageWrite ? 3 : 4;
  const bool has = opcode == Op::OpImageWrite || opcode == Op::OpImageRead || opcode == Op::OpImageFetch;
  return has && words.size() > word && (words[word] & shared) != 0;
}

}  // namespace

bool depends_on_group_order(const spirv::Module& module) {
  if (declares_coherent(module)) {
    return true;
  }
  constexpr auto shared = static_cast<std::uint32_t>(spv::MemoryAccessMask::Volatile) |
                          static_cast<std::uint32_t>(spv::MemoryAccessMask::MakePointerAvailable) |
                          static_cast<std::uint32_t>(spv::MemoryAccessMask::MakePointerVisible);
  std::unordered_set<std::uint32_t> used;
  std::unordered_set<std::uint32_t> atomic_results;
  for (const auto& [id, function] : module.functions) {
    for (const auto& block : function.blocks) {
      for (const auto& statement : block.statements) {
        const auto words = module.operands(statement);
        const bool atomic = is_atomic(statement.opcode);
        const std::size_t pointer_word = statement.result_id == 0 ? 0 : 2;
        if (atomic && !in_groupshared(module, words[pointer_word])) {
          if (!commutes(statement.opcode)) {
            return true;
          }
          atomic_results.insert(statement.result_id);
        }
        if ((memory_operands(words, statement.opcode) & shared) != 0 || shares_texels(words, statement.opcode)) {
          return true;
        }
        const std::size_t own = statement.result_id == 0 ? 0 : statement.type_id == 0 ? 1 : 2;
        used.insert(words.begin() + static_cast<std::ptrdiff_t>(std::min(own, words.size())), words.end());
      }
    }
  }
  return std::ranges::any_of(atomic_results, [&](std::uint32_t result) { return used.contains(result); });
}

}  // namespace crosslane::machine
