#include "spirv/module.hpp"

#include <utility>

namespace crosslane::spirv {
namespace {

using spv::Op;

// Numbers of NonSemantic.Shader.DebugInfo.100.
constexpr std::uint32_t debug_source = 35;
constexpr std::uint32_t debug_line = 103;
constexpr std::uint32_t debug_no_line = 104;

class Builder {
 public:
  explicit Builder(Module& module)
      : module_(module), first_unwrapped_(static_cast<std::uint32_t>(module.words.size())) {
    module_.lines.emplace_back();
  }

  /// To be called when all instructions have been seen.
  void finish() { module_.words.insert(module_.words.end(), unwrapped_.begin(), unwrapped_.end()); }

  Expected<void> visit(const Instruction& instruction) {
    const auto opcode = static_cast<Op>(instruction.opcode);
    if (instruction.type_id != 0) {
      module_.type_of[instruction.result_id] = instruction.type_id;
    }
    switch (opcode) {
      case Op::OpString:
        strings_[instruction.result_id] = text_of(instruction.words.subspan(2));
        return {};
      case Op::OpExtInstImport:
        module_.imports[instruction.result_id] = text_of(instruction.words.subspan(2));
        return {};
      case Op::OpLine:
        set_line(strings_[instruction.words[1]], instruction.words[2], instruction.words[3]);
        return {};
      case Op::OpNoLine:
        line_ = 0;
        return {};
      case Op::OpFunction:
        function_ = &module_.functions[instruction.result_id];
        function_->id = instruction.result_id;
        function_->return_type = instruction.type_id;
        return {};
      case Op::OpFunctionParameter:
        if (function_ != nullptr) {
          function_->parameters.push_back({instruction.result_id, instruction.type_id});
        }
        return {};
      case Op::OpFunctionEnd:
        function_ = nullptr;
        line_ = 0;
        return {};
      case Op::OpLabel:
        if (function_ != nullptr) {
          function_->blocks.push_back({instruction.result_id, {}});
        }
        // A line counts to the end of its block; compilers that say none for the next one mean that it goes on.
        return {};
      case Op::OpExtInst:
        if (visit_debug_information(instruction)) {
          return {};
        }
        break;
      default:
        break;
    }
    keep(opcode, instruction);
    return {};
  }

 private:
  void keep(Op opcode, const Instruction& instruction) {
    if (opcode == Op::OpSpecConstantOp) {
      keep_unwrapped(instruction);
      return;
    }
    const Statement statement{opcode,
                              instruction.type_id,
                              instruction.result_id,
                              static_cast<std::uint32_t>(instruction.first_word),
                              static_cast<std::uint32_t>(instruction.words.size()),
                              line_};
    if (function_ == nullptr) {
      if (instruction.type_id != 0) {
        module_.globals.push_back(statement);
      }
    } else if (!function_->blocks.empty()) {
      function_->blocks.back().statements.push_back(statement);
    }
  }

  // An instruction between constants is kept as that instruction: the words after its opcode are the same.
  void keep_unwrapped(const Instruction& instruction) {
    const auto words = instruction.words;
    const auto opcode = static_cast<Op>(words[3]);
    const auto count = static_cast<std::uint32_t>(words.size() - 1);
    module_.globals.push_back(
        {opcode, words[1], words[2], first_unwrapped_ + static_cast<std::uint32_t>(unwrapped_.size()), count, line_});
    unwrapped_.push_back(count << 16U | words[3]);
    unwrapped_.insert(unwrapped_.end(), {words[1], words[2]});
    unwrapped_.insert(unwrapped_.end(), words.begin() + 4, words.end());
  }

  // True for instructions that only debuggers read.
  bool visit_debug_information(const Instruction& instruction) {
    const auto words = instruction.words;
    const auto set = module_.imports.find(words[3]);
    if (set == module_.imports.end() || !set->second.starts_with("NonSemantic.")) {
      return false;
    }
    if (set->second != "NonSemantic.Shader.DebugInfo.100") {
      return true;
    }
    if (words[4] == debug_source && words.size() > 5) {
      sources_[instruction.result_id] = strings_[words[5]];
    } else if (words[4] == debug_line && words.size() > 8) {
      set_line(sources_[words[5]], constant(words[6]), constant(words[8]));
    } else if (words[4] == debug_no_line) {
      line_ = 0;
    }
    return true;
  }

  [[nodiscard]] std::uint32_t constant(std::uint32_t id) const {
    const auto* found = module_.tables.constant(id);
    return found == nullptr ? 0 : static_cast<std::uint32_t>(found->value);
  }

  void set_line(const std::string& file, std::uint32_t line, std::uint32_t column) {
    const auto& last = module_.lines.back();
    if (last.line != line || last.column != column || last.file != file) {
      module_.lines.push_back({file, line, column});
    }
    line_ = static_cast<std::uint32_t>(module_.lines.size() - 1);
  }

  Module& module_;
  Function* function_ = nullptr;
  std::uint32_t first_unwrapped_;
  std::vector<std::uint32_t> unwrapped_;
  std::uint32_t line_ = 0;
  std::unordered_map<std::uint32_t, std::string> strings_;
  std::unordered_map<std::uint32_t, std::string> sources_;
};

}  // namespace

Expected<Module> make_module(std::vector<std::uint32_t> words) {
  auto tables = make_tables(words);
  if (!tables) {
    return tl::unexpected<Error>(std::move(tables.error()));
  }
  Module module;
  module.words = std::move(words);
  module.binary_words = module.words.size();
  module.tables = std::move(*tables);
  Builder builder(module);
  const auto header =
      parse(module.words, [&builder](const Instruction& instruction) { return builder.visit(instruction); });
  if (!header) {
    return tl::unexpected<Error>(header.error());
  }
  builder.finish();
  return module;
}

}  // namespace crosslane::spirv
