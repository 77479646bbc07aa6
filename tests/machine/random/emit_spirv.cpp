// A random program as SPIR-V: its functions, and the one that writes traces.
#include "machine/random/emit_spirv.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "machine/random/emit_blocks.hpp"
#include "machine/random/emit_expression.hpp"
#include "machine/random/emit_statements.hpp"
#include "machine/random/emit_text.hpp"
#include "machine/random/emit_variables.hpp"
#include "machine/random/emit_words.hpp"

namespace crosslane::machine_tests {
namespace {

// Where the traces of this thread start.
void emit_base(SpirvText& text, std::uint32_t threads) {
  const auto first =
      text.define("OpIMul %uint {} {}", load_input(text, Input::group), text.constant(threads * trace_slots));
  const auto own = text.define("OpIMul %uint {} {}", load_input(text, Input::thread), text.constant(trace_slots));
  text.line(fmt::format("OpStore %base {}", text.define("OpIAdd %uint {} {}", first, own)));
}

void emit_function(SpirvText& text, const Program& program, std::size_t at) {
  const auto& function = program.functions[at];
  const bool is_entry_point = at == 0;
  if (is_entry_point) {
    text.line("%f0 = OpFunction %void None %main_type");
  } else {
    text.line(fmt::format("%f{} = OpFunction %uint None {}", at, text.function_type(function.parameters)));
  }
  std::vector<std::string> arguments;
  for (std::uint32_t parameter = 0; parameter < function.parameters; ++parameter) {
    arguments.push_back(text.define("OpFunctionParameter %uint"));
  }
  BlockEmitter blocks(text, function.in_memory.size());
  VariableEmitter variables(text, blocks, program, at);
  const ExpressionEmitter expressions(text, variables, program.portable);
  blocks.begin(fmt::format("%f{}_start", at));
  variables.declare(arguments);
  if (is_entry_point) {
    emit_base(text, program.threads);
  }
  emit_statements({text, blocks, variables, expressions}, function, is_entry_point);
  text.line("OpFunctionEnd");
}

// hash = (hash ^ value) × prime, into the next slot.
void emit_trace_function(SpirvText& text) {
  text.line("%trace = OpFunction %void None %trace_type");
  const auto noted = text.define("OpFunctionParameter %uint");
  text.line("%trace_start = OpLabel");
  const auto hash = text.define("OpLoad %uint %hash");
  const auto mixed = text.define("OpBitwiseXor %uint {} {}", hash, noted);
  const auto next = text.define("OpIMul %uint {} {}", mixed, text.constant(16777619));
  text.line(fmt::format("OpStore %hash {}", next));
  const auto cursor = text.define("OpLoad %uint %cursor");
  const auto base = text.define("OpLoad %uint %base");
  const auto index = text.define("OpIAdd %uint {} {}", base, low_bits(text, cursor, trace_slots - 1));
  const auto pointer = text.define("OpAccessChain %word_pointer %out {} {}", text.constant(0), index);
  text.line(fmt::format("OpStore {} {}", pointer, next));
  text.line(fmt::format("OpStore %cursor {}", text.define("OpIAdd %uint {} {}", cursor, text.constant(1))));
  text.line("OpReturn");
  text.line("OpFunctionEnd");
}

}  // namespace

std::string emit_spirv(const Program& program) {
  SpirvText text;
  for (std::size_t at = 0; at < program.functions.size(); ++at) {
    emit_function(text, program, at);
  }
  emit_trace_function(text);
  return text.module_of(program);
}

}  // namespace crosslane::machine_tests
