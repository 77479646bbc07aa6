#include "sanitize/mutants.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.hpp11>

#include "spirv/parse.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

using spv::Op;

struct Instruction {
  Op opcode = Op::OpNop;
  std::uint32_t type = 0;
  std::vector<std::uint32_t> words;
};

// The module as instructions, each of which can be left out or replaced.
struct Listing {
  std::vector<std::uint32_t> header;
  std::vector<Instruction> instructions;
  std::map<std::uint32_t, std::uint32_t> type_of;
  std::map<std::uint32_t, std::uint32_t> word_constants;  // of one word
  std::size_t first_function = 0;

  explicit Listing(std::span<const std::uint32_t> words) : header(words.begin(), words.begin() + 5) {
    must(spirv::parse(words, [&](const spirv::Instruction& one) -> Expected<void> {
      const auto opcode = static_cast<Op>(one.opcode);
      instructions.push_back({opcode, one.type_id, {one.words.begin(), one.words.end()}});
      if (one.result_id != 0) {
        type_of[one.result_id] = one.type_id;
      }
      if (opcode == Op::OpConstant && one.words.size() == 4) {
        word_constants[one.result_id] = one.words[3];
      }
      if (opcode == Op::OpFunction && first_function == 0) {
        first_function = instructions.size() - 1;
      }
      return {};
    }));
  }

  [[nodiscard]] std::vector<std::uint32_t> words() const {
    auto all = header;
    for (const auto& one : instructions) {
      all.insert(all.end(), one.words.begin(), one.words.end());
    }
    return all;
  }
  std::uint32_t new_id() { return header[3]++; }
  // A constant of a type of 32 bits; everything behind moves on by one instruction.
  std::uint32_t add_constant(std::uint32_t type, std::uint32_t value) {
    const auto id = new_id();
    instructions.insert(
        instructions.begin() + static_cast<std::ptrdiff_t>(first_function),
        {Op::OpConstant, type, {4U << 16U | static_cast<std::uint32_t>(Op::OpConstant), type, id, value}});
    return id;
  }
  // The operand `word` of the instruction `place` becomes itself plus one.
  void add_one(std::size_t place, std::size_t word) {
    const auto old = instructions[place].words[word];
    const auto type = type_of.at(old);
    const auto one = add_constant(type, 1);
    ++place;
    const auto sum = new_id();
    instructions[place].words[word] = sum;
    instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(place),
                        {Op::OpIAdd, type, {5U << 16U | static_cast<std::uint32_t>(Op::OpIAdd), type, sum, old, one}});
  }
  void replace_opcode(std::size_t place, Op opcode) {
    auto& word = instructions[place].words[0];
    word = (word & 0xFFFF0000U) | static_cast<std::uint32_t>(opcode);
  }
  // Whether an id is a whole number of 32 bits, by an instruction that makes its type.
  [[nodiscard]] bool is_word(std::uint32_t id) const {
    const auto type = type_of.find(id);
    return type != type_of.end() && std::ranges::any_of(instructions, [&](const Instruction& one) {
             return one.opcode == Op::OpTypeInt && one.words[1] == type->second && one.words[2] == 32;
           });
  }
};

// Masks are constant operands of these.
std::optional<std::size_t> constant_mask(const Listing& module, const Instruction& one) {
  if (one.opcode == Op::OpBitwiseAnd || one.opcode == Op::OpBitwiseXor) {
    for (const std::size_t word : {3U, 4U}) {
      const auto found = module.word_constants.find(one.words[word]);
      if (found != module.word_constants.end() && found->second > 1 && found->second != ~0U) {
        return word;
      }
    }
  }
  return std::nullopt;
}

// i < n becomes i + 1 < n, i <= n becomes i < n; the other way round where the loop's end is asked for.
bool shrink(Listing& module, std::size_t place) {
  switch (module.instructions[place].opcode) {
    case Op::OpULessThan:
    case Op::OpSLessThan:
    case Op::OpUGreaterThanEqual:
    case Op::OpSGreaterThanEqual:
      if (!module.is_word(module.instructions[place].words[3])) {
        return false;
      }
      module.add_one(place, 3);
      return true;
    case Op::OpULessThanEqual:
      module.replace_opcode(place, Op::OpULessThan);
      return true;
    case Op::OpSLessThanEqual:
      module.replace_opcode(place, Op::OpSLessThan);
      return true;
    case Op::OpUGreaterThan:
      module.replace_opcode(place, Op::OpUGreaterThanEqual);
      return true;
    case Op::OpSGreaterThan:
      module.replace_opcode(place, Op::OpSGreaterThanEqual);
      return true;
    default:
      return false;
  }
}

bool change_mask(Listing& module, std::size_t place) {
  const auto opcode = module.instructions[place].opcode;
  if (opcode == Op::OpGroupNonUniformShuffleXor || opcode == Op::OpGroupNonUniformShuffleUp ||
      opcode == Op::OpGroupNonUniformShuffleDown) {
    constexpr std::size_t distance = 5;
    module.add_one(place, distance);
    return true;
  }
  if (const auto word = constant_mask(module, module.instructions[place])) {
    const auto old = module.instructions[place].words[*word];
    const auto half = module.add_constant(module.type_of.at(old), module.word_constants.at(old) >> 1U);
    module.instructions[place + 1].words[*word] = half;
    return true;
  }
  return false;
}

bool remove_barrier(Listing& module, std::size_t place) {
  const auto opcode = module.instructions[place].opcode;
  if (opcode != Op::OpControlBarrier && opcode != Op::OpMemoryBarrier) {
    return false;
  }
  module.instructions.erase(module.instructions.begin() + static_cast<std::ptrdiff_t>(place));
  return true;
}

}  // namespace

std::string_view name(MutantKind kind) {
  switch (kind) {
    case MutantKind::barrier:
      return "barriers removed";
    case MutantKind::mask:
      return "masks changed";
    default:
      return "bounds shrunk";
  }
}

std::vector<Mutant> mutants(std::span<const std::uint32_t> words) {
  const Listing original(words);
  std::vector<Mutant> all;
  std::map<std::string, std::size_t> seen;
  for (std::size_t place = original.first_function; place < original.instructions.size(); ++place) {
    const auto add = [&](MutantKind kind, bool (*change)(Listing&, std::size_t)) {
      auto mutant = original;
      if (change(mutant, place)) {
        const std::string opcode = spvOpcodeString(static_cast<std::uint32_t>(original.instructions[place].opcode));
        all.push_back({kind, fmt::format("Op{} {}", opcode, ++seen[opcode]), mutant.words()});
      }
    };
    add(MutantKind::barrier, remove_barrier);
    add(MutantKind::mask, change_mask);
    add(MutantKind::bound, shrink);
  }
  return all;
}

}  // namespace crosslane::test
