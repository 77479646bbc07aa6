#include "machine/random/emit_spirv.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace crosslane::machine_tests {
namespace {

constexpr std::string_view module_start = R"(
OpCapability Shader
OpCapability GroupNonUniform
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability GroupNonUniformQuad
{0}OpExtension "SPV_KHR_maximal_reconvergence"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %f0 "main" %in %out %lane_in %size_in %wave_in %thread_in %group_in %base %cursor %hash
OpExecutionMode %f0 LocalSize {1} 1 1
OpExecutionMode %f0 MaximallyReconvergesKHR
OpDecorate %lane_in BuiltIn SubgroupLocalInvocationId
OpDecorate %size_in BuiltIn SubgroupSize
OpDecorate %wave_in BuiltIn SubgroupId
OpDecorate %thread_in BuiltIn LocalInvocationIndex
OpDecorate %group_in BuiltIn WorkgroupId
OpDecorate %words ArrayStride 4
OpDecorate %buffer Block
OpMemberDecorate %buffer 0 Offset 0
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%v4 = OpTypeVector %uint 4
%true = OpConstantTrue %bool
%words = OpTypeRuntimeArray %uint
%buffer = OpTypeStruct %words
%buffer_pointer = OpTypePointer StorageBuffer %buffer
%word_pointer = OpTypePointer StorageBuffer %uint
%input_pointer = OpTypePointer Input %uint
%input_pointer3 = OpTypePointer Input %v3
%private_pointer = OpTypePointer Private %uint
%local_pointer = OpTypePointer Function %uint
%array_length = OpConstant %uint 8
%array = OpTypeArray %uint %array_length
%array_pointer = OpTypePointer Function %array
%no_array = OpConstantNull %array
%in = OpVariable %buffer_pointer StorageBuffer
%out = OpVariable %buffer_pointer StorageBuffer
%lane_in = OpVariable %input_pointer Input
%size_in = OpVariable %input_pointer Input
%wave_in = OpVariable %input_pointer Input
%thread_in = OpVariable %input_pointer Input
%group_in = OpVariable %input_pointer3 Input
%null = OpConstantNull %uint
%base = OpVariable %private_pointer Private %null
%cursor = OpVariable %private_pointer Private %null
%hash = OpVariable %private_pointer Private %null
%main_type = OpTypeFunction %void
%trace_type = OpTypeFunction %void %uint
)";

constexpr std::string_view rare_operations = R"(OpCapability GroupNonUniformClustered
OpCapability GroupNonUniformRotateKHR
OpCapability GroupNonUniformPartitionedNV
OpExtension "SPV_KHR_subgroup_rotate"
OpExtension "SPV_NV_shader_subgroup_partitioned"
)";

constexpr std::array integer_arithmetic = {"IAdd", "IMul",       "UMin",      "UMax",      "SMin",
                                           "SMax", "BitwiseAnd", "BitwiseOr", "BitwiseXor"};
constexpr std::array logical_arithmetic = {"LogicalAnd", "LogicalOr", "LogicalXor"};

std::string_view name_of(Shape shape) {
  constexpr std::array names = {"Reduce", "InclusiveScan", "ExclusiveScan"};
  return names.at(static_cast<std::size_t>(shape));
}

// Variables that a list of statements assigns.
void note_assigned(const Block& block, std::set<std::uint32_t>& assigned) {
  for (const auto& statement : block) {
    using Kind = Statement::Kind;
    if (statement.kind == Kind::assign || statement.kind == Kind::call || statement.kind == Kind::loop) {
      assigned.insert(statement.variable);
    }
    if (statement.kind == Kind::loop) {
      assigned.insert(statement.variable + 1);
    }
    for (const auto& body : statement.bodies) {
      note_assigned(body, assigned);
    }
    for (const auto& one : statement.cases) {
      note_assigned(one.body, assigned);
    }
  }
}

using Values = std::vector<std::string>;  // by variable; empty for those in memory

struct Edge {
  std::string from;
  Values values;
};

// A block that is still to come, and who goes there.
struct Target {
  std::string label;
  std::vector<Edge> edges;
};

struct Exits {
  Target* loop_merge = nullptr;
  Target* loop_continue = nullptr;
  Target* choice_merge = nullptr;
};

class Emitter {
 public:
  explicit Emitter(const Program& program) : program_(program) {}

  std::string emit() {
    for (std::size_t at = 0; at < program_.functions.size(); ++at) {
      emit_function(at);
    }
    emit_trace_function();
    std::string text = fmt::format(module_start, program_.portable ? "" : rare_operations, program_.threads);
    for (const auto& [value, name] : constants_) {
      text += fmt::format("{} = OpConstant %uint {}\n", name, value);
    }
    for (const auto count : function_types_) {
      text += fmt::format("%type{} = OpTypeFunction %uint", count);
      for (std::uint32_t i = 0; i < count; ++i) {
        text += " %uint";
      }
      text += '\n';
    }
    for (const auto& text_line : lines_) {
      text += text_line + '\n';
    }
    return text;
  }

 private:
  // ---- Lines.

  void line(std::string text) { lines_.push_back(std::move(text)); }

  template <typename... Arguments>
  std::string define(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    auto name = fmt::format("%r{}", ++results_);
    line(name + " = " + fmt::format(form, std::forward<Arguments>(arguments)...));
    return name;
  }

  Target new_target(std::string_view kind) { return {fmt::format("%{}{}", kind, ++labels_), {}}; }

  std::string constant(std::uint32_t value) {
    auto& name = constants_[value];
    name = fmt::format("%k{}", value);
    return name;
  }

  // ---- Blocks.

  void edge_to(Target& target) { target.edges.push_back({block_, values_}); }

  void jump(Target& target) {
    edge_to(target);
    line("OpBranch " + target.label);
    ended_ = true;
  }

  void begin(const std::string& label) {
    line(label + " = OpLabel");
    block_ = label;
    ended_ = false;
  }

  // Starts the block with phis of what the ways there disagree on; one that nobody reaches ends at once.
  void meet(const Target& target) {
    begin(target.label);
    if (target.edges.empty()) {
      line("OpUnreachable");
      ended_ = true;
      return;
    }
    values_ = target.edges[0].values;
    for (std::size_t at = 0; at < values_.size(); ++at) {
      const bool agree =
          std::ranges::all_of(target.edges, [&](const Edge& edge) { return edge.values[at] == values_[at]; });
      if (agree) {
        continue;
      }
      std::string sources;
      for (const auto& edge : target.edges) {
        sources += fmt::format(" {} {}", edge.values[at], edge.from);
      }
      values_[at] = define("OpPhi %uint{}", sources);
    }
  }

  // ---- Values.

  std::string load_input(std::string_view variable) { return define("OpLoad %uint {}", variable); }

  std::string truth(const std::string& value) { return define("OpINotEqual %bool {} {}", value, constant(0)); }
  std::string number(const std::string& condition) {
    return define("OpSelect %uint {} {} {}", condition, constant(1), constant(0));
  }
  std::string low_bits(const std::string& value, std::uint32_t mask) {
    return define("OpBitwiseAnd %uint {} {}", value, constant(mask));
  }

  std::string input(Input which) {
    switch (which) {
      case Input::lane:
        return load_input("%lane_in");
      case Input::wave_size:
        return load_input("%size_in");
      case Input::wave:
        return load_input("%wave_in");
      case Input::thread:
        return load_input("%thread_in");
      case Input::group: {
        const auto group = define("OpLoad %v3 %group_in");
        return define("OpCompositeExtract %uint {} 0", group);
      }
      case Input::data:
        break;
    }
    const auto base = define("OpLoad %uint %base");
    const auto index = define("OpUDiv %uint {} {}", base, constant(trace_slots));
    const auto pointer = define("OpAccessChain %word_pointer %in {} {}", constant(0), index);
    return define("OpLoad %uint {}", pointer);
  }

  std::string binary(Binary operation, const std::string& a, std::string b) {
    switch (operation) {
      case Binary::add:
        return define("OpIAdd %uint {} {}", a, b);
      case Binary::subtract:
        return define("OpISub %uint {} {}", a, b);
      case Binary::multiply:
        return define("OpIMul %uint {} {}", a, b);
      case Binary::divide:
        b = define("OpBitwiseOr %uint {} {}", b, constant(1));
        return define("OpUDiv %uint {} {}", a, b);
      case Binary::remainder:
        b = define("OpBitwiseOr %uint {} {}", b, constant(1));
        return define("OpUMod %uint {} {}", a, b);
      case Binary::bit_and:
        return define("OpBitwiseAnd %uint {} {}", a, b);
      case Binary::bit_or:
        return define("OpBitwiseOr %uint {} {}", a, b);
      case Binary::bit_xor:
        return define("OpBitwiseXor %uint {} {}", a, b);
      case Binary::shift_left:
        b = low_bits(b, 31);
        return define("OpShiftLeftLogical %uint {} {}", a, b);
      case Binary::shift_right:
        b = low_bits(b, 31);
        return define("OpShiftRightLogical %uint {} {}", a, b);
      case Binary::less:
        return number(define("OpULessThan %bool {} {}", a, b));
      case Binary::less_signed:
        return number(define("OpSLessThan %bool {} {}", a, b));
      case Binary::equal:
        return number(define("OpIEqual %bool {} {}", a, b));
      case Binary::not_equal:
        return number(define("OpINotEqual %bool {} {}", a, b));
    }
    return a;
  }

  std::string value(const Expression& expression) {
    std::vector<std::string> operands;
    for (const auto& operand : expression.operands) {
      operands.push_back(value(operand));
    }
    switch (expression.kind) {
      case Expression::Kind::constant:
        return constant(expression.number);
      case Expression::Kind::variable:
        return read_variable(expression.number);
      case Expression::Kind::element: {
        const auto index = low_bits(operands[0], array_elements - 1);
        const auto pointer = define("OpAccessChain %local_pointer {} {}", array_, index);
        return define("OpLoad %uint {}", pointer);
      }
      case Expression::Kind::input:
        return input(expression.input);
      case Expression::Kind::binary:
        return binary(expression.binary, operands[0], operands[1]);
      case Expression::Kind::select: {
        const auto condition = truth(operands[0]);
        return define("OpSelect %uint {} {} {}", condition, operands[1], operands[2]);
      }
      case Expression::Kind::wave:
        return wave_operation(expression, operands);
    }
    return {};
  }

  std::string ballot(const std::string& condition) {
    return define("OpGroupNonUniformBallot %v4 {} {}", constant(3), condition);
  }

  // `read`, or 0 where the lane `source` cannot be read. Only where SPIR-V leaves open what `read` is then.
  std::string defined_read(const std::string& read, const std::string& source) {
    if (!program_.portable) {
      return read;
    }
    const auto active = ballot("%true");
    const auto lane = low_bits(source, 127);
    const auto size = input(Input::wave_size);
    const auto inside = define("OpULessThan %bool {} {}", source, size);
    const auto bit = define("OpGroupNonUniformBallotBitExtract %bool {} {} {}", constant(3), active, lane);
    const auto readable = define("OpLogicalAnd %bool {} {}", inside, bit);
    return define("OpSelect %uint {} {} {}", readable, read, constant(0));
  }

  std::string shuffled(std::string_view operation, const std::string& a, const std::string& b,
                       const std::string& source) {
    return defined_read(define("OpGroupNonUniform{} %uint {} {} {}", operation, constant(3), a, b), source);
  }

  std::string wave_operation(const Expression& expression, const std::vector<std::string>& operands) {
    const auto scope = constant(3);
    const auto immediate = expression.immediate;
    const auto a = operands.empty() ? std::string() : operands[0];
    const auto b = operands.size() < 2 ? std::string() : operands[1];
    switch (expression.wave) {
      case WaveOp::elect:
        return number(define("OpGroupNonUniformElect %bool {}", scope));
      case WaveOp::all: {
        const auto condition = truth(a);
        return number(define("OpGroupNonUniformAll %bool {} {}", scope, condition));
      }
      case WaveOp::any: {
        const auto condition = truth(a);
        return number(define("OpGroupNonUniformAny %bool {} {}", scope, condition));
      }
      case WaveOp::all_equal:
        return number(define("OpGroupNonUniformAllEqual %bool {} {}", scope, a));
      case WaveOp::ballot_word: {
        const auto lanes = ballot(truth(a));
        return define("OpCompositeExtract %uint {} {}", lanes, immediate);
      }
      case WaveOp::ballot_count: {
        const auto lanes = ballot(truth(a));
        return define("OpGroupNonUniformBallotBitCount %uint {} {} {}", scope, name_of(expression.shape), lanes);
      }
      case WaveOp::ballot_extract: {
        const auto lanes = ballot(truth(a));
        const auto size = input(Input::wave_size);
        const auto lane = define("OpUMod %uint {} {}", b, size);
        return number(define("OpGroupNonUniformBallotBitExtract %bool {} {} {}", scope, lanes, lane));
      }
      case WaveOp::inverse_ballot: {
        const auto lanes = ballot(truth(a));
        return number(define("OpGroupNonUniformInverseBallot %bool {} {}", scope, lanes));
      }
      case WaveOp::ballot_lowest:
        return define("OpGroupNonUniformBallotFindLSB %uint {} {}", scope, ballot("%true"));
      case WaveOp::ballot_highest:
        return define("OpGroupNonUniformBallotFindMSB %uint {} {}", scope, ballot("%true"));
      case WaveOp::broadcast_first:
        return define("OpGroupNonUniformBroadcastFirst %uint {} {}", scope, a);
      default:
        return read_or_combine(expression, a, b);
    }
  }

  std::string read_or_combine(const Expression& expression, const std::string& a, const std::string& b) {
    const auto immediate = constant(expression.immediate);
    switch (expression.wave) {
      case WaveOp::broadcast:
        return shuffled("Broadcast", a, immediate, immediate);
      case WaveOp::shuffle:
        return shuffled("Shuffle", a, b, b);
      case WaveOp::shuffle_xor: {
        const auto mask = low_bits(b, 127);
        const auto source = define("OpBitwiseXor %uint {} {}", input(Input::lane), mask);
        return shuffled("ShuffleXor", a, mask, source);
      }
      case WaveOp::shuffle_up: {
        const auto by = low_bits(b, 127);
        const auto source = define("OpISub %uint {} {}", input(Input::lane), by);
        return shuffled("ShuffleUp", a, by, source);
      }
      case WaveOp::shuffle_down: {
        const auto by = low_bits(b, 127);
        const auto source = define("OpIAdd %uint {} {}", input(Input::lane), by);
        return shuffled("ShuffleDown", a, by, source);
      }
      case WaveOp::quad_broadcast: {
        const auto quad = low_bits(input(Input::lane), ~3U);
        const auto source = define("OpIAdd %uint {} {}", quad, immediate);
        return shuffled("QuadBroadcast", a, immediate, source);
      }
      case WaveOp::quad_swap: {
        const auto source = define("OpBitwiseXor %uint {} {}", input(Input::lane), constant(expression.immediate + 1));
        return shuffled("QuadSwap", a, immediate, source);
      }
      case WaveOp::rotate: {
        const auto sum = define("OpIAdd %uint {} {}", input(Input::lane), immediate);
        const auto source = define("OpUMod %uint {} {}", sum, input(Input::wave_size));
        return shuffled("RotateKHR", a, immediate, source);
      }
      default:
        return combined(expression, a, b);
    }
  }

  std::string combined(const Expression& expression, const std::string& a, const std::string& b) {
    std::string shape(name_of(expression.shape));
    std::string extra;
    if (expression.wave == WaveOp::clustered) {
      shape = "ClusteredReduce";
      extra = ' ' + constant(expression.immediate);
    } else if (expression.wave == WaveOp::partitioned) {
      shape = "Partitioned" + shape + "NV";
      extra = ' ' + define("OpGroupNonUniformPartitionNV %v4 {}", b);
    }
    const auto which = static_cast<std::size_t>(expression.arithmetic);
    if (which < integer_arithmetic.size()) {
      return define("OpGroupNonUniform{} %uint {} {} {}{}", integer_arithmetic.at(which), constant(3), shape, a, extra);
    }
    const auto condition = truth(a);
    return number(define("OpGroupNonUniform{} %bool {} {} {}{}",
                         logical_arithmetic.at(which - integer_arithmetic.size()), constant(3), shape, condition,
                         extra));
  }

  // ---- Variables.

  [[nodiscard]] std::string memory_of(std::uint32_t variable) const {
    return fmt::format("%f{}_v{}", function_, variable);
  }
  [[nodiscard]] bool in_memory(std::uint32_t variable) const {
    return program_.functions[function_].in_memory[variable];
  }
  std::string read_variable(std::uint32_t variable) {
    return in_memory(variable) ? define("OpLoad %uint {}", memory_of(variable)) : values_[variable];
  }
  void write_variable(std::uint32_t variable, const std::string& result) {
    if (in_memory(variable)) {
      line(fmt::format("OpStore {} {}", memory_of(variable), result));
    } else {
      values_[variable] = result;
    }
  }

  // ---- Statements.

  void emit_block(const Block& block, const Exits& exits) {
    for (const auto& statement : block) {
      if (ended_) {
        return;
      }
      emit_statement(statement, exits);
    }
  }

  void emit_statement(const Statement& statement, const Exits& exits) {
    switch (statement.kind) {
      case Statement::Kind::assign:
        write_variable(statement.variable, value(statement.value));
        return;
      case Statement::Kind::store_element: {
        const auto result = value(statement.value);
        const auto index = low_bits(value(statement.index), array_elements - 1);
        const auto pointer = define("OpAccessChain %local_pointer {} {}", array_, index);
        line(fmt::format("OpStore {} {}", pointer, result));
        return;
      }
      case Statement::Kind::trace:
        define("OpFunctionCall %void %trace {}", value(statement.value));
        return;
      case Statement::Kind::selection:
        emit_selection(statement, exits);
        return;
      case Statement::Kind::loop:
        emit_loop(statement);
        return;
      case Statement::Kind::choice:
        emit_choice(statement, exits);
        return;
      case Statement::Kind::leave:
        emit_return(statement.value);
        return;
      case Statement::Kind::call: {
        std::string arguments;
        for (const auto& argument : statement.arguments) {
          arguments += ' ' + value(argument);
        }
        write_variable(statement.variable, define("OpFunctionCall %uint %f{}{}", statement.function, arguments));
        return;
      }
      default:
        jump(*jump_target(statement, exits));
    }
  }

  static Target* jump_target(const Statement& statement, const Exits& exits) {
    switch (statement.kind) {
      case Statement::Kind::break_loop:
        return exits.loop_merge;
      case Statement::Kind::continue_loop:
        return exits.loop_continue;
      case Statement::Kind::break_choice:
        return exits.choice_merge;
      default:
        return nullptr;
    }
  }

  void emit_return(const Expression& result) {
    if (function_ == 0) {
      line("OpReturn");
    } else {
      line("OpReturnValue " + value(result));
    }
    ended_ = true;
  }

  void emit_selection(const Statement& statement, const Exits& exits) {
    const auto condition = truth(value(statement.value));
    auto* const out =
        statement.bare && !statement.bodies[0].empty() ? jump_target(statement.bodies[0][0], exits) : nullptr;
    if (out != nullptr && statement.bodies[1].empty()) {
      auto next = new_target("next");
      edge_to(*out);
      edge_to(next);
      line(fmt::format("OpBranchConditional {} {} {}", condition, out->label, next.label));
      meet(next);
      return;
    }
    auto yes = new_target("then");
    auto no = new_target("else");
    auto merge = new_target("merge");
    const bool has_else = !statement.bodies[1].empty();
    line(fmt::format("OpSelectionMerge {} None", merge.label));
    edge_to(yes);
    edge_to(has_else ? no : merge);
    line(fmt::format("OpBranchConditional {} {} {}", condition, yes.label, has_else ? no.label : merge.label));
    emit_arm(yes, statement.bodies[0], merge, exits);
    if (has_else) {
      emit_arm(no, statement.bodies[1], merge, exits);
    }
    meet(merge);
  }

  void emit_arm(const Target& start, const Block& body, Target& next, const Exits& exits) {
    meet(start);
    emit_block(body, exits);
    if (!ended_) {
      jump(next);
    }
  }

  // Values of the loop's variables at the start of each iteration: phis whose second source is not known yet.
  struct HeaderPhi {
    std::uint32_t variable = 0;
    std::size_t line = 0;
  };

  std::vector<HeaderPhi> begin_header(const Statement& loop, Target& header) {
    jump(header);
    begin(header.label);
    std::set<std::uint32_t> assigned = {loop.variable};
    note_assigned(loop.bodies[0], assigned);
    note_assigned(loop.bodies[1], assigned);
    std::vector<HeaderPhi> phis;
    for (const auto variable : assigned) {
      if (!in_memory(variable)) {
        phis.push_back({variable, lines_.size()});
        values_[variable] = define("OpPhi %uint {} {}", values_[variable], header.edges[0].from);
      }
    }
    return phis;
  }

  void end_header(const std::vector<HeaderPhi>& phis, const Edge& back) {
    for (const auto& phi : phis) {
      lines_[phi.line] += fmt::format(" {} {}", back.values[phi.variable], back.from);
    }
  }

  std::string goes_on(const Statement& loop) {
    const auto counter = read_variable(loop.variable);
    const auto bound = read_variable(loop.variable + 1);
    const auto below = define("OpULessThan %bool {} {}", counter, bound);
    const auto wanted = truth(value(loop.index));
    return define("OpLogicalAnd %bool {} {}", below, wanted);
  }

  void count(const Statement& loop) {
    const auto counter = read_variable(loop.variable);
    write_variable(loop.variable, define("OpIAdd %uint {} {}", counter, constant(1)));
  }

  void emit_loop(const Statement& loop) {
    write_variable(loop.variable + 1, value(loop.value));
    write_variable(loop.variable, constant(0));
    auto header = new_target("header");
    auto body = new_target("body");
    auto merge = new_target("done");
    auto next = new_target("continue");
    const auto phis = begin_header(loop, header);
    if (loop.form == LoopForm::single_block) {
      emit_block(loop.bodies[0], {});
      count(loop);
      const auto again = goes_on(loop);
      line(fmt::format("OpLoopMerge {} {} None", merge.label, header.label));
      edge_to(header);
      edge_to(merge);
      line(fmt::format("OpBranchConditional {} {} {}", again, header.label, merge.label));
      end_header(phis, header.edges.back());
      meet(merge);
      return;
    }
    const auto test = [&](Target& on) {
      const auto again = goes_on(loop);
      if (loop.form == LoopForm::header_test) {
        line(fmt::format("OpLoopMerge {} {} None", merge.label, next.label));
      }
      edge_to(on);
      edge_to(merge);
      line(fmt::format("OpBranchConditional {} {} {}", again, on.label, merge.label));
    };
    if (loop.form == LoopForm::header_test) {
      test(body);
    } else {
      line(fmt::format("OpLoopMerge {} {} None", merge.label, next.label));
      jump(body);
    }
    meet(body);
    if (loop.form == LoopForm::body_test) {
      auto inner = new_target("inner");
      test(inner);
      meet(inner);
    }
    emit_block(loop.bodies[0], {.loop_merge = &merge, .loop_continue = &next});
    if (!ended_) {
      jump(next);
    }
    if (next.edges.empty()) {
      begin(next.label);  // nobody comes here, but a loop has a back edge
    } else {
      meet(next);
    }
    emit_block(loop.bodies[1], {});
    count(loop);
    if (loop.form == LoopForm::end_test) {
      test(header);
    } else {
      jump(header);
    }
    end_header(phis, header.edges.back());
    meet(merge);
  }

  void emit_choice(const Statement& choice, const Exits& exits) {
    const auto selector = value(choice.value);
    auto merge = new_target("merge");
    std::vector<Target> starts;
    std::string otherwise = merge.label;
    std::string literals;
    for (const auto& one : choice.cases) {
      starts.push_back(new_target("case"));
      edge_to(starts.back());
      for (const auto literal : one.literals) {
        literals += fmt::format(" {} {}", literal, starts.back().label);
      }
      otherwise = one.literals.empty() ? starts.back().label : otherwise;
    }
    if (otherwise == merge.label) {
      edge_to(merge);
    }
    line(fmt::format("OpSelectionMerge {} None", merge.label));
    line(fmt::format("OpSwitch {} {}{}", selector, otherwise, literals));
    Exits inside = exits;
    inside.choice_merge = &merge;
    for (std::size_t at = 0; at < choice.cases.size(); ++at) {
      emit_arm(starts[at], choice.cases[at].body, choice.cases[at].falls_through ? starts[at + 1] : merge, inside);
    }
    meet(merge);
  }

  // ---- Functions.

  void emit_function(std::size_t at) {
    const auto& function = program_.functions[at];
    function_ = at;
    values_.assign(function.in_memory.size(), "");
    array_ = fmt::format("%f{}_array", at);
    if (at == 0) {
      line("%f0 = OpFunction %void None %main_type");
    } else {
      function_types_.insert(function.parameters);
      line(fmt::format("%f{} = OpFunction %uint None %type{}", at, function.parameters));
    }
    Values arguments;
    for (std::uint32_t parameter = 0; parameter < function.parameters; ++parameter) {
      arguments.push_back(define("OpFunctionParameter %uint"));
    }
    begin(fmt::format("%f{}_start", at));
    line(array_ + " = OpVariable %array_pointer Function %no_array");
    for (std::uint32_t variable = 0; variable < function.in_memory.size(); ++variable) {
      if (function.in_memory[variable]) {
        line(memory_of(variable) + " = OpVariable %local_pointer Function");
      }
    }
    for (std::uint32_t variable = 0; variable < function.in_memory.size(); ++variable) {
      write_variable(variable, variable < arguments.size() ? arguments[variable] : constant(0));
    }
    if (at == 0) {
      const auto first = define("OpIMul %uint {} {}", input(Input::group), constant(program_.threads * trace_slots));
      const auto own = define("OpIMul %uint {} {}", input(Input::thread), constant(trace_slots));
      line(fmt::format("OpStore %base {}", define("OpIAdd %uint {} {}", first, own)));
    }
    emit_block(function.body, {});
    if (!ended_) {
      emit_return(function.result);
    }
    line("OpFunctionEnd");
  }

  // hash = (hash ^ value) × prime, into the next slot.
  void emit_trace_function() {
    line("%trace = OpFunction %void None %trace_type");
    const auto noted = define("OpFunctionParameter %uint");
    begin("%trace_start");
    const auto hash = define("OpLoad %uint %hash");
    const auto mixed = define("OpBitwiseXor %uint {} {}", hash, noted);
    const auto next = define("OpIMul %uint {} {}", mixed, constant(16777619));
    line(fmt::format("OpStore %hash {}", next));
    const auto cursor = define("OpLoad %uint %cursor");
    const auto base = define("OpLoad %uint %base");
    const auto index = define("OpIAdd %uint {} {}", base, low_bits(cursor, trace_slots - 1));
    const auto pointer = define("OpAccessChain %word_pointer %out {} {}", constant(0), index);
    line(fmt::format("OpStore {} {}", pointer, next));
    line(fmt::format("OpStore %cursor {}", define("OpIAdd %uint {} {}", cursor, constant(1))));
    line("OpReturn");
    line("OpFunctionEnd");
  }

  const Program& program_;
  std::vector<std::string> lines_;
  std::map<std::uint32_t, std::string> constants_;
  std::set<std::uint32_t> function_types_;
  std::size_t results_ = 0;
  std::size_t labels_ = 0;
  std::size_t function_ = 0;
  std::string array_;
  std::string block_;  // the label of the block at hand
  bool ended_ = false;
  Values values_;
};

}  // namespace

std::string emit_spirv(const Program& program) { return Emitter(program).emit(); }

}  // namespace crosslane::machine_tests
