// A SPIR-V module as a typed tree: what the tables hold, and the functions with their blocks and instructions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

#include "crosslane/error.hpp"
#include "spirv/tables.hpp"

namespace crosslane::spirv {

/// Where an instruction comes from in the source; line 0 where the module does not say.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// One instruction that stays in its module.
struct Statement {
  spv::Op opcode = spv::Op::OpNop;
  std::uint32_t type_id = 0;    ///< 0 where it has none
  std::uint32_t result_id = 0;  ///< 0 where it has none
  std::uint32_t first_word = 0;
  std::uint32_t word_count = 0;
  std::uint32_t line = 0;  ///< index into Module::lines
};

struct Block {
  std::uint32_t label = 0;
  std::vector<Statement> statements;  ///< without its OpLabel; the last one ends it
};

struct Parameter {
  std::uint32_t id = 0;
  std::uint32_t type_id = 0;
};

struct Function {
  std::uint32_t id = 0;
  std::uint32_t return_type = 0;
  std::vector<Parameter> parameters;
  std::vector<Block> blocks;  ///< empty for a declaration
};

struct Module {
  std::vector<std::uint32_t> words;  ///< the binary's; then those of instructions in OpSpecConstantOp, as their own
  std::size_t binary_words = 0;      ///< how many of them are the binary's
  Tables tables;
  std::vector<Statement> globals;  ///< constants, undefined values and variables of the module, in order
  std::unordered_map<std::uint32_t, Function> functions;
  std::unordered_map<std::uint32_t, std::string> imports;    ///< extended instruction sets by id
  std::unordered_map<std::uint32_t, std::uint32_t> type_of;  ///< every result that has a type
  std::vector<SourceLine> lines;                             ///< the first says nothing

  /// Words of an instruction after its opcode word, types and results among them.
  [[nodiscard]] std::span<const std::uint32_t> operands(const Statement& statement) const {
    return std::span(words).subspan(statement.first_word + 1, statement.word_count - 1);
  }
};

/// Errors: `invalid_input` for words that do not follow SPIR-V's grammar.
Expected<Module> make_module(std::vector<std::uint32_t> words);

}  // namespace crosslane::spirv
