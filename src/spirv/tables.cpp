#include "spirv/tables.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace crosslane::spirv {
namespace {

using spv::Op;

class Builder {
 public:
  explicit Builder(Tables& tables) : tables_(tables) {}

  Expected<void> visit(const Instruction& instruction) {
    const auto opcode = static_cast<Op>(instruction.opcode);
    if (opcode == Op::OpFunction) {
      function_ = instruction.result_id;
      tables_.uses[function_];
    }
    if (function_ != 0) {
      note_uses(instruction);
    } else {
      visit_global(opcode, instruction);
    }
    if (opcode == Op::OpFunctionEnd) {
      function_ = 0;
    }
    return {};
  }

 private:
  // Variables of functions are never looked up in `variables`, so naming them here does no harm.
  void note_uses(const Instruction& instruction) {
    tables_.uses[function_].insert(instruction.ids.begin(), instruction.ids.end());
  }

  void visit_global(Op opcode, const Instruction& instruction) {
    const auto words = instruction.words;
    switch (opcode) {
      case Op::OpCapability:
        tables_.capabilities.push_back(words[1]);
        break;
      case Op::OpExtension:
        tables_.extensions.push_back(text_of(words.subspan(1)));
        break;
      case Op::OpEntryPoint:
        tables_.entry_points.push_back({words[1], words[2], text_of(words.subspan(3))});
        break;
      case Op::OpExecutionMode:
      case Op::OpExecutionModeId:
        tables_.execution_modes.push_back(
            {words[1], words[2], opcode == Op::OpExecutionModeId, {words.begin() + 3, words.end()}});
        break;
      case Op::OpName:
        tables_.names[words[1]] = text_of(words.subspan(2));
        break;
      case Op::OpDecorate:
        tables_.decorations[words[1]][static_cast<spv::Decoration>(words[2])] = words.size() > 3 ? words[3] : 0;
        break;
      case Op::OpMemberDecorate:
        tables_.member_decorations[words[1]][words[2]][static_cast<spv::Decoration>(words[3])] =
            words.size() > 4 ? words[4] : 0;
        break;
      case Op::OpGroupDecorate:
        for (const auto target : words.subspan(2)) {
          for (const auto& [decoration, operand] : tables_.decorations[words[1]]) {
            tables_.decorations[target][decoration] = operand;
          }
        }
        break;
      case Op::OpVariable:
        visit_variable(instruction);
        break;
      default:
        visit_constant(opcode, instruction);
        visit_type(opcode, instruction);
        break;
    }
  }

  void visit_variable(const Instruction& instruction) {
    const auto* pointer = tables_.type(instruction.type_id);
    if (pointer != nullptr && pointer->opcode == Op::OpTypePointer) {
      tables_.variables[instruction.result_id] = {pointer->operands[1],
                                                  static_cast<spv::StorageClass>(instruction.words[3])};
    }
  }

  void visit_constant(Op opcode, const Instruction& instruction) {
    Constant constant{instruction.type_id, 0, {}, false, false, false};
    const auto words = instruction.words;
    switch (opcode) {
      case Op::OpConstantTrue:
      case Op::OpConstantFalse:
      case Op::OpSpecConstantTrue:
      case Op::OpSpecConstantFalse:
        constant.boolean = true;
        constant.specialized = opcode == Op::OpSpecConstantTrue || opcode == Op::OpSpecConstantFalse;
        constant.value = opcode == Op::OpConstantTrue || opcode == Op::OpSpecConstantTrue ? 1 : 0;
        break;
      case Op::OpConstant:
      case Op::OpSpecConstant:
        constant.specialized = opcode == Op::OpSpecConstant;
        constant.value = scalar_value(instruction);
        break;
      case Op::OpConstantComposite:
      case Op::OpSpecConstantComposite:
        constant.specialized = opcode == Op::OpSpecConstantComposite;
        constant.constituents.assign(words.begin() + 3, words.end());
        break;
      case Op::OpSpecConstantOp:
        constant.specialized = true;
        constant.computed = true;
        break;
      case Op::OpConstantNull:
        break;
      default:
        return;
    }
    tables_.constants[instruction.result_id] = std::move(constant);
  }

  // Literals narrower than 32 bits are sign-extended in the binary; only their own bits are kept.
  [[nodiscard]] std::uint64_t scalar_value(const Instruction& instruction) const {
    const auto words = instruction.words;
    std::uint64_t value = words[3];
    if (words.size() > 4) {
      value |= static_cast<std::uint64_t>(words[4]) << 32U;
    }
    const auto* type = tables_.type(instruction.type_id);
    const auto bits = type == nullptr ? 64 : type->bytes * 8;
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
  }

  void visit_type(Op opcode, const Instruction& instruction) {
    if (instruction.result_id == 0 || instruction.type_id != 0 || instruction.words.size() < 2) {
      return;
    }
    Type type;
    type.opcode = opcode;
    type.operands.assign(instruction.words.begin() + 2, instruction.words.end());
    const auto element_bytes = [&]() -> std::uint64_t {
      const auto* element = type.operands.empty() ? nullptr : tables_.type(type.operands[0]);
      return element == nullptr ? 0 : element->bytes;
    };
    switch (opcode) {
      case Op::OpTypeBool:
        type.bytes = 4;
        break;
      case Op::OpTypeInt:
      case Op::OpTypeFloat:
        type.bytes = type.operands[0] / 8;
        break;
      case Op::OpTypeVector:
      case Op::OpTypeMatrix:
        type.count = type.operands[1];
        type.bytes = saturating_multiply(element_bytes(), type.count);
        break;
      case Op::OpTypeArray:
        if (const auto* length = tables_.constant(type.operands[1]); length != nullptr) {
          type.count = length->value;
        }
        type.bytes = saturating_multiply(element_bytes(), type.count);
        break;
      case Op::OpTypeStruct:
        measure_struct(instruction.result_id, type);
        break;
      case Op::OpTypePointer:
        type.bytes = 8;  // a physical address, where it counts at all
        break;
      default:
        break;
    }
    tables_.types[instruction.result_id] = std::move(type);
  }

  // Types are measured once, when they are declared, from types declared before: no nesting can make that slow.
  void measure_struct(std::uint32_t id, Type& type) {
    for (std::uint32_t member = 0; member < type.operands.size(); ++member) {
      const auto* member_type = tables_.type(type.operands[member]);
      type.bytes = saturating_add(type.bytes, member_type == nullptr ? 0 : member_type->bytes);
      const auto offset = tables_.member_decoration(id, member, spv::Decoration::Offset).value_or(0);
      type.block_bytes = std::max(type.block_bytes, saturating_add(offset, member_bytes(id, member, type)));
    }
  }

  // Matrices take their stride from the member that holds them, through any arrays between.
  [[nodiscard]] std::uint64_t member_bytes(std::uint32_t id, std::uint32_t member, const Type& type) const {
    const auto type_id = type.operands[member];
    const auto* member_type = tables_.type(type_id);
    if (member_type == nullptr) {
      return 0;
    }
    const auto matrix_stride = tables_.member_decoration(id, member, spv::Decoration::MatrixStride);
    if (member_type->opcode == Op::OpTypeMatrix && matrix_stride) {
      const auto* column = tables_.type(member_type->operands[0]);
      const bool by_rows = tables_.member_decoration(id, member, spv::Decoration::RowMajor).has_value();
      return saturating_multiply(*matrix_stride, by_rows && column != nullptr ? column->count : member_type->count);
    }
    if (member_type->opcode == Op::OpTypeArray) {
      if (const auto stride = tables_.decoration(type_id, spv::Decoration::ArrayStride)) {
        return saturating_multiply(*stride, member_type->count);
      }
    }
    return member_type->opcode == Op::OpTypeStruct ? member_type->block_bytes : member_type->bytes;
  }

  Tables& tables_;
  std::uint32_t function_ = 0;  // 0 outside functions
};

std::optional<std::uint32_t> find(const Decorations& decorations, spv::Decoration decoration) {
  const auto found = decorations.find(decoration);
  return found == decorations.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  const auto most = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > most / b ? most : a * b;
}

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  const auto most = std::numeric_limits<std::uint64_t>::max();
  return a > most - b ? most : a + b;
}

const Type* Tables::type(std::uint32_t id) const {
  const auto found = types.find(id);
  return found == types.end() ? nullptr : &found->second;
}

const Constant* Tables::constant(std::uint32_t id) const {
  const auto found = constants.find(id);
  return found == constants.end() ? nullptr : &found->second;
}

std::string Tables::name(std::uint32_t id) const {
  const auto found = names.find(id);
  return found == names.end() ? std::string() : found->second;
}

std::optional<std::uint32_t> Tables::decoration(std::uint32_t id, spv::Decoration decoration) const {
  const auto found = decorations.find(id);
  return found == decorations.end() ? std::nullopt : find(found->second, decoration);
}

std::optional<std::uint32_t> Tables::member_decoration(std::uint32_t id, std::uint32_t member,
                                                       spv::Decoration decoration) const {
  const auto found = member_decorations.find(id);
  if (found == member_decorations.end()) {
    return std::nullopt;
  }
  const auto of_member = found->second.find(member);
  return of_member == found->second.end() ? std::nullopt : find(of_member->second, decoration);
}

std::set<std::uint32_t> Tables::variables_used_by(std::uint32_t function) const {
  std::set<std::uint32_t> seen;
  std::set<std::uint32_t> used;
  std::vector<std::uint32_t> pending = {function};
  while (!pending.empty()) {
    const auto current = pending.back();
    pending.pop_back();
    const auto found = uses.find(current);
    if (found == uses.end() || !seen.insert(current).second) {
      continue;
    }
    for (const auto id : found->second) {
      if (variables.contains(id)) {
        used.insert(id);
      } else if (uses.contains(id)) {
        pending.push_back(id);
      }
    }
  }
  return used;
}

Expected<Tables> make_tables(std::span<const std::uint32_t> words) {
  Tables tables;
  Builder builder(tables);
  auto header = parse(words, [&builder](const Instruction& instruction) { return builder.visit(instruction); });
  if (!header) {
    return tl::unexpected<Error>(std::move(header.error()));
  }
  tables.header = *header;
  return tables;
}

}  // namespace crosslane::spirv
