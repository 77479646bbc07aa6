// The statements of a function in SPIR-V.
#include "machine/random/emit_statements.hpp"

#include <set>
#include <string>
#include <vector>

#include "machine/random/emit_words.hpp"

namespace crosslane::machine_tests {
namespace {

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

std::set<std::uint32_t> assigned_in(const Statement& loop) {
  std::set<std::uint32_t> assigned = {loop.variable};
  note_assigned(loop.bodies[0], assigned);
  note_assigned(loop.bodies[1], assigned);
  return assigned;
}

// Where statements that jump lead.
struct Exits {
  Target* loop_merge = nullptr;
  Target* loop_continue = nullptr;
  Target* choice_merge = nullptr;
};

class StatementEmitter {
 public:
  StatementEmitter(const FunctionEmitters& with, bool is_entry_point)
      : text_(with.text),
        blocks_(with.blocks),
        variables_(with.variables),
        expressions_(with.expressions),
        is_entry_point_(is_entry_point) {}

  void emit_body(const Function& function) {
    emit_block(function.body, {});
    if (!blocks_.ended()) {
      emit_return(function.result);
    }
  }

 private:
  void emit_block(const Block& block, const Exits& exits) {
    for (const auto& statement : block) {
      if (blocks_.ended()) {
        return;
      }
      emit_statement(statement, exits);
    }
  }

  void emit_statement(const Statement& statement, const Exits& exits) {
    switch (statement.kind) {
      case Statement::Kind::assign:
        variables_.write(statement.variable, expressions_.value(statement.value));
        return;
      case Statement::Kind::store_element: {
        const auto result = expressions_.value(statement.value);
        const auto pointer = variables_.element(expressions_.value(statement.index));
        text_.line(fmt::format("OpStore {} {}", pointer, result));
        return;
      }
      case Statement::Kind::trace:
        text_.define("OpFunctionCall %void %trace {}", expressions_.value(statement.value));
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
          arguments += ' ' + expressions_.value(argument);
        }
        variables_.write(statement.variable,
                         text_.define("OpFunctionCall %uint %f{}{}", statement.function, arguments));
        return;
      }
      default:
        blocks_.jump(*jump_target(statement, exits));
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
    if (is_entry_point_) {
      text_.line("OpReturn");
    } else {
      text_.line("OpReturnValue " + expressions_.value(result));
    }
    blocks_.end();
  }

  void emit_selection(const Statement& statement, const Exits& exits) {
    const auto condition = truth_of(text_, expressions_.value(statement.value));
    auto* const out =
        statement.bare && !statement.bodies[0].empty() ? jump_target(statement.bodies[0][0], exits) : nullptr;
    if (out != nullptr && statement.bodies[1].empty()) {
      auto next = blocks_.new_target("next");
      blocks_.edge_to(*out);
      blocks_.edge_to(next);
      text_.line(fmt::format("OpBranchConditional {} {} {}", condition, out->label, next.label));
      blocks_.meet(next);
      return;
    }
    auto yes = blocks_.new_target("then");
    auto no = blocks_.new_target("else");
    auto merge = blocks_.new_target("merge");
    const bool has_else = !statement.bodies[1].empty();
    text_.line(fmt::format("OpSelectionMerge {} None", merge.label));
    blocks_.edge_to(yes);
    blocks_.edge_to(has_else ? no : merge);
    text_.line(fmt::format("OpBranchConditional {} {} {}", condition, yes.label, has_else ? no.label : merge.label));
    emit_arm(yes, statement.bodies[0], merge, exits);
    if (has_else) {
      emit_arm(no, statement.bodies[1], merge, exits);
    }
    blocks_.meet(merge);
  }

  void emit_arm(const Target& start, const Block& body, Target& next, const Exits& exits) {
    blocks_.meet(start);
    emit_block(body, exits);
    if (!blocks_.ended()) {
      blocks_.jump(next);
    }
  }

  std::string goes_on(const Statement& loop) {
    const auto counter = variables_.read(loop.variable);
    const auto bound = variables_.read(loop.variable + 1);
    const auto below = text_.define("OpULessThan %bool {} {}", counter, bound);
    const auto wanted = truth_of(text_, expressions_.value(loop.index));
    return text_.define("OpLogicalAnd %bool {} {}", below, wanted);
  }

  void count(const Statement& loop) {
    const auto counter = variables_.read(loop.variable);
    variables_.write(loop.variable, text_.define("OpIAdd %uint {} {}", counter, text_.constant(1)));
  }

  void emit_loop(const Statement& loop) {
    variables_.write(loop.variable + 1, expressions_.value(loop.value));
    variables_.write(loop.variable, text_.constant(0));
    auto header = blocks_.new_target("header");
    auto body = blocks_.new_target("body");
    auto merge = blocks_.new_target("done");
    auto next = blocks_.new_target("continue");
    const auto phis = blocks_.begin_header(header, assigned_in(loop));
    if (loop.form == LoopForm::single_block) {
      emit_block(loop.bodies[0], {});
      count(loop);
      const auto again = goes_on(loop);
      text_.line(fmt::format("OpLoopMerge {} {} None", merge.label, header.label));
      blocks_.edge_to(header);
      blocks_.edge_to(merge);
      text_.line(fmt::format("OpBranchConditional {} {} {}", again, header.label, merge.label));
      blocks_.end_header(phis, header.edges.back());
      blocks_.meet(merge);
      return;
    }
    const auto test = [&](Target& on) {
      const auto again = goes_on(loop);
      if (loop.form == LoopForm::header_test) {
        text_.line(fmt::format("OpLoopMerge {} {} None", merge.label, next.label));
      }
      blocks_.edge_to(on);
      blocks_.edge_to(merge);
      text_.line(fmt::format("OpBranchConditional {} {} {}", again, on.label, merge.label));
    };
    if (loop.form == LoopForm::header_test) {
      test(body);
    } else {
      text_.line(fmt::format("OpLoopMerge {} {} None", merge.label, next.label));
      blocks_.jump(body);
    }
    blocks_.meet(body);
    if (loop.form == LoopForm::body_test) {
      auto inner = blocks_.new_target("inner");
      test(inner);
      blocks_.meet(inner);
    }
    emit_block(loop.bodies[0], {.loop_merge = &merge, .loop_continue = &next});
    if (!blocks_.ended()) {
      blocks_.jump(next);
    }
    if (next.edges.empty()) {
      blocks_.begin(next.label);  // nobody comes here, but a loop has a back edge
    } else {
      blocks_.meet(next);
    }
    emit_block(loop.bodies[1], {});
    count(loop);
    if (loop.form == LoopForm::end_test) {
      test(header);
    } else {
      blocks_.jump(header);
    }
    blocks_.end_header(phis, header.edges.back());
    blocks_.meet(merge);
  }

  void emit_choice(const Statement& choice, const Exits& exits) {
    const auto selector = expressions_.value(choice.value);
    auto merge = blocks_.new_target("merge");
    std::vector<Target> starts;
    std::string otherwise = merge.label;
    std::string literals;
    for (const auto& one : choice.cases) {
      starts.push_back(blocks_.new_target("case"));
      blocks_.edge_to(starts.back());
      for (const auto literal : one.literals) {
        literals += fmt::format(" {} {}", literal, starts.back().label);
      }
      otherwise = one.literals.empty() ? starts.back().label : otherwise;
    }
    if (otherwise == merge.label) {
      blocks_.edge_to(merge);
    }
    text_.line(fmt::format("OpSelectionMerge {} None", merge.label));
    text_.line(fmt::format("OpSwitch {} {}{}", selector, otherwise, literals));
    Exits inside = exits;
    inside.choice_merge = &merge;
    for (std::size_t at = 0; at < choice.cases.size(); ++at) {
      emit_arm(starts[at], choice.cases[at].body, choice.cases[at].falls_through ? starts[at + 1] : merge, inside);
    }
    blocks_.meet(merge);
  }

  SpirvText& text_;
  BlockEmitter& blocks_;
  VariableEmitter& variables_;
  const ExpressionEmitter& expressions_;
  bool is_entry_point_;
};

}  // namespace

void emit_statements(const FunctionEmitters& with, const Function& function, bool is_entry_point) {
  StatementEmitter(with, is_entry_point).emit_body(function);
}

}  // namespace crosslane::machine_tests
