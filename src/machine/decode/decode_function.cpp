// Functions: blocks in structured order, branches as operations, calls decoded in place.
#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "machine/control.hpp"
#include "machine/decode/decoder.hpp"
#include "machine/decode/families.hpp"
#include "machine/handlers.hpp"
#include "spirv/structure.hpp"

namespace crosslane::machine {
namespace {

using spirv::EdgeKind;
using spv::Op;

// Calls are decoded where they stand: a program that calls in many ways grows without measure.
constexpr std::size_t largest_program = std::size_t{1} << 21U;
constexpr std::size_t deepest_call = 64;

// Results that are used outside of the innermost loop around their definition: lanes that left the loop keep theirs
// while others go round again.
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

// What is the same for every call of a function.
struct FunctionFacts {
  spirv::Structure structure;
  std::unordered_set<std::uint32_t> escaping;
};

class FunctionDecoder {
 public:
  FunctionDecoder(Decoder& decoder, const spirv::Function& function, const FunctionFacts& facts,
                  FunctionDecoder* caller)
      : decoder_(decoder),
        function_(function),
        structure_(facts.structure),
        escaping_(facts.escaping),
        caller_(caller),
        outer_scope_(decoder.scope_) {
    decoder_.scope_ = &values_;
    decoder_.function_ = this;
  }
  FunctionDecoder(const FunctionDecoder&) = delete;
  FunctionDecoder& operator=(const FunctionDecoder&) = delete;
  ~FunctionDecoder() {
    decoder_.scope_ = outer_scope_;
    decoder_.function_ = caller_;
  }

  // Emits the function; its lanes meet again after the last operation.
  Expected<void> run(std::vector<Value> arguments, std::uint32_t parent_construct) {
    auto& builder = decoder_.builder();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      values_[function_.parameters[i].id] = std::move(arguments[i]);
    }
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) {
      block_labels_.push_back(builder.new_label());
    }
    const auto after = builder.new_label();
    for (const auto& construct : structure_.constructs) {
      const bool own = constructs_.empty();
      const auto number = builder.new_construct(own ? parent_construct : constructs_[construct.parent]);
      constructs_.push_back(number);
      builder.set_merge(number, own ? after : block_labels_[construct.merge]);
      if (construct.continue_target != spirv::no_block) {
        builder.set_continue(number, block_labels_[construct.continue_target]);
      }
    }
    if (auto prepared = prepare_results(); !prepared) {
      return prepared;
    }
    for (std::size_t place = 0; place < structure_.order.size(); ++place) {
      if (auto decoded = decode_block(place); !decoded) {
        return decoded;
      }
    }
    note_loops();
    builder.bind(after);
    return {};
  }

  Expected<void> decode_call(const spirv::Statement& statement);
  Expected<void> decode_terminator(const spirv::Statement& statement);
  [[nodiscard]] const Value& returned() const { return returned_; }

 private:
  // Rows of phis and of the function's result: several places write them.
  Expected<void> prepare_results() {
    for (const auto block : structure_.order) {
      for (const auto& statement : function_.blocks[block].statements) {
        if (statement.opcode != Op::OpPhi) {
          continue;
        }
        if (decoder_.type(statement.type_id).opcode == Op::OpTypePointer) {
          values_[statement.result_id] = {statement.type_id, {decoder_.new_row(Element::int64)}, {}};
          continue;
        }
        auto rows = decoder_.new_value(statement.type_id);
        if (!rows) {
          return tl::unexpected<Error>(std::move(rows.error()));
        }
        values_[statement.result_id] = std::move(*rows);
      }
    }
    auto rows = decoder_.new_value(function_.return_type);
    if (!rows) {
      return tl::unexpected<Error>(std::move(rows.error()));
    }
    returned_ = std::move(*rows);
    return {};
  }

  Expected<void> decode_block(std::size_t place) {
    block_ = structure_.order[place];
    next_block_ = place + 1 < structure_.order.size() ? structure_.order[place + 1] : spirv::no_block;
    first_op_[block_] = decoder_.builder().size();
    decoder_.builder().bind(block_labels_[block_]);
    for (const auto& statement : function_.blocks[block_].statements) {
      if (decoder_.builder().size() > largest_program) {
        return decoder_.refuse(statement, fmt::format("programs of more than {} operations", largest_program));
      }
      if (statement.opcode == Op::OpPhi) {
        continue;
      }
      if (auto decoded = decoder_.decode(statement); !decoded) {
        return decoded;
      }
      if (escaping_.contains(statement.result_id)) {
        if (auto kept = keep_for_lanes_that_left(statement); !kept) {
          return kept;
        }
      }
    }
    end_op_[block_] = decoder_.builder().size();
    return {};
  }

  // Moves the result into rows that only active lanes write.
  Expected<void> keep_for_lanes_that_left(const spirv::Statement& statement) {
    auto& value = values_[statement.result_id];
    if (value.pointer) {
      auto& offset = value.pointer->offset;
      if (!offset.none()) {
        const bool wide = value.pointer->kind == PointerKind::fat || value.pointer->kind == PointerKind::physical;
        offset = kept(offset, wide ? Element::int64 : Element::int32);
      }
      return {};
    }
    const auto elements = decoder_.leaves(value.type);
    if (!elements) {
      return tl::unexpected<Error>(elements.error());
    }
    for (std::size_t leaf = 0; leaf < value.leaves.size(); ++leaf) {
      value.leaves[leaf] = kept(value.leaves[leaf], (*elements)[leaf]);
    }
    return {};
  }

  Ref kept(Ref row, Element element) {
    const Ref own = decoder_.new_row(element);
    decoder_.masked_copy(own, row, element);
    return own;
  }

  // Operations of each loop, inner loops first.
  void note_loops() {
    for (auto construct = structure_.constructs.size(); construct-- > 1;) {
      if (structure_.constructs[construct].kind != spirv::ConstructKind::loop) {
        continue;
      }
      std::size_t first = decoder_.builder().size();
      std::size_t end = 0;
      for (const auto block : structure_.order) {
        if (structure_.contains(static_cast<std::uint32_t>(construct), structure_.construct_of[block])) {
          first = std::min(first, first_op_[block]);
          end = std::max(end, end_op_[block]);
        }
      }
      decoder_.builder().add_loop(first, end);
    }
  }

  Expected<std::uint32_t> block_of(const spirv::Statement& statement, std::uint32_t label) const {
    const auto found = structure_.block_of_label.find(label);
    if (found == structure_.block_of_label.end()) {
      return decoder_.malformed(statement, fmt::format("%{} is no block of this function", label));
    }
    return found->second;
  }

  struct Copy {
    Ref to;
    Ref from;
    Element element = Element::int32;
  };

  // What the phis of `target` take when this block goes there.
  Expected<std::vector<Copy>> phi_copies(std::uint32_t target) {
    std::vector<Copy> copies;
    for (const auto& phi : function_.blocks[target].statements) {
      if (phi.opcode != Op::OpPhi) {
        if (phi.opcode == Op::OpLine || phi.opcode == Op::OpNoLine) {
          continue;
        }
        break;
      }
      const auto words = decoder_.module().operands(phi);
      std::uint32_t source = 0;
      for (std::size_t word = 2; word + 1 < words.size(); word += 2) {
        source = words[word + 1] == function_.blocks[block_].label ? words[word] : source;
      }
      if (source == 0) {
        return decoder_.malformed(phi, fmt::format("no value for %{}", function_.blocks[block_].label));
      }
      auto value = decoder_.value(source);
      if (!value) {
        return tl::unexpected<Error>(std::move(value.error()));
      }
      if (value->pointer) {
        auto bits = decoder_.fat_pointer(*value->pointer, phi);
        if (!bits) {
          return tl::unexpected<Error>(std::move(bits.error()));
        }
        value->leaves = {*bits};
      }
      const auto& rows = values_[phi.result_id].leaves;
      const auto elements = decoder_.leaves(phi.type_id);
      for (std::size_t leaf = 0; elements && leaf < rows.size() && leaf < value->leaves.size(); ++leaf) {
        if (rows[leaf] != value->leaves[leaf]) {
          copies.push_back({rows[leaf], value->leaves[leaf], (*elements)[leaf]});
        }
      }
    }
    return copies;
  }

  // All phis change at once: where one reads what another writes, the values go through rows of their own.
  void emit_copies(std::vector<Copy> copies) {
    std::unordered_set<std::uint32_t> written;
    for (const auto& copy : copies) {
      written.insert(copy.to.reg);
    }
    for (auto& copy : copies) {
      if (written.contains(copy.from.reg)) {
        const Ref row = decoder_.new_row(copy.element);
        decoder_.builder().emit(
            {.handler = copy_handler(), .dst = row, .a = copy.from, .count = decoder_.row_bytes(copy.element)});
        copy.from = row;
      }
    }
    for (const auto& copy : copies) {
      decoder_.masked_copy(copy.to, copy.from, copy.element);
    }
  }

  [[nodiscard]] std::uint32_t branching_construct() const { return constructs_[structure_.branches_in[block_]]; }

  // The active lanes go to `target`; `at_once`, or when all other lanes of the branch have done what their edges need.
  Expected<void> emit_edge(std::uint32_t target, bool at_once) {
    auto copies = phi_copies(target);
    if (!copies) {
      return tl::unexpected<Error>(std::move(copies.error()));
    }
    emit_copies(std::move(*copies));
    auto& builder = decoder_.builder();
    const auto edge = structure_.edge(block_, target);
    const auto construct = constructs_[edge.construct];
    switch (edge.kind) {
      case EdgeKind::plain:
        if (!at_once) {
          emit_wait(construct, target);
        } else if (target != next_block_) {
          builder.emit({.handler = jump_handler(), .imm = block_labels_[target], .imm_is_label = true});
        }
        break;
      case EdgeKind::back:
        builder.emit({.handler = back_edge_handler(), .imm = block_labels_[target], .imm_is_label = true});
        break;
      case EdgeKind::merge:
        builder.emit({.handler = park_at_merge_handler(), .imm = construct, .aux = branching_construct()});
        break;
      case EdgeKind::continue_loop:
        builder.emit({.handler = park_at_continue_handler(), .imm = construct, .aux = branching_construct()});
        break;
      case EdgeKind::next_case:
        emit_wait(construct, target);
        break;
    }
    return {};
  }

  // The active lanes wait in `construct` until it is the turn of `target`.
  void emit_wait(std::uint32_t construct, std::uint32_t target) {
    decoder_.builder().emit({.handler = park_at_case_handler(),
                             .count = construct,
                             .imm = block_labels_[target],
                             .aux = branching_construct(),
                             .imm_is_label = true});
  }

  // Where lanes go that take the edge: the block itself, or a stub that does what the edge needs.
  struct Exit {
    std::uint32_t target = 0;
    Label label = 0;
    bool stub = false;
  };
  Expected<Exit> exit_to(const spirv::Statement& statement, std::uint32_t label) {
    auto target = block_of(statement, label);
    if (!target) {
      return tl::unexpected<Error>(std::move(target.error()));
    }
    const auto& statements = function_.blocks[*target].statements;
    const bool has_phis = !statements.empty() && statements.front().opcode == Op::OpPhi;
    if (!has_phis && structure_.edge(block_, *target).kind == EdgeKind::plain) {
      return Exit{*target, block_labels_[*target], false};
    }
    return Exit{*target, decoder_.builder().new_label(), true};
  }
  // Lanes take their stubs in this order, before any of them goes on: those that go round a loop would change what the
  // others still need, so they come last.
  Expected<void> emit_stubs(std::vector<Exit> exits) {
    std::stable_partition(exits.begin(), exits.end(), [&](const Exit& exit) {
      return structure_.edge(block_, exit.target).kind != EdgeKind::back;
    });
    for (const auto& exit : exits) {
      if (!exit.stub) {
        continue;
      }
      decoder_.builder().bind(exit.label);
      if (auto emitted = emit_edge(exit.target, false); !emitted) {
        return emitted;
      }
    }
    return {};
  }

  Expected<void> decode_conditional(const spirv::Statement& statement);
  Expected<void> decode_switch(const spirv::Statement& statement);
  Expected<void> decode_return(const spirv::Statement& statement);

  Decoder& decoder_;
  const spirv::Function& function_;
  const spirv::Structure& structure_;
  const std::unordered_set<std::uint32_t>& escaping_;
  FunctionDecoder* caller_;
  std::unordered_map<std::uint32_t, Value>* outer_scope_;
  std::unordered_map<std::uint32_t, Value> values_;
  Value returned_;
  std::vector<Label> block_labels_;
  std::vector<std::uint32_t> constructs_;  // the structure's constructs in the program
  std::unordered_map<std::uint32_t, std::size_t> first_op_;
  std::unordered_map<std::uint32_t, std::size_t> end_op_;
  std::uint32_t block_ = 0;
  std::uint32_t next_block_ = 0;
};

namespace {

Expected<FunctionFacts> make_facts(const spirv::Module& module, const spirv::Function& function) {
  auto structure = spirv::make_structure(module, function);
  if (!structure) {
    return tl::unexpected<Error>(std::move(structure.error()));
  }
  auto escaping = escaping_results(module, function, *structure);
  return FunctionFacts{std::move(*structure), std::move(escaping)};
}

}  // namespace

Expected<void> FunctionDecoder::decode_call(const spirv::Statement& statement) {
  const auto words = decoder_.module().operands(statement);
  const auto found = decoder_.module().functions.find(words[2]);
  if (found == decoder_.module().functions.end() || found->second.blocks.empty()) {
    return decoder_.malformed(statement, "the function has no body");
  }
  const auto& callee = found->second;
  std::size_t depth = 0;
  for (const auto* caller = this; caller != nullptr; caller = caller->caller_) {
    if (&caller->function_ == &callee || ++depth > deepest_call) {
      return decoder_.refuse(statement, "recursion, or calls that nest so deeply");
    }
  }
  std::vector<Value> arguments;
  for (const auto id : words.subspan(3)) {
    auto value = decoder_.value(id);
    if (!value) {
      return tl::unexpected<Error>(std::move(value.error()));
    }
    arguments.push_back(std::move(*value));
  }
  if (arguments.size() != callee.parameters.size()) {
    return decoder_.malformed(statement, "the number of arguments is wrong");
  }
  const auto facts = make_facts(decoder_.module(), callee);
  if (!facts) {
    return tl::unexpected<Error>(facts.error());
  }
  Value result;
  {
    FunctionDecoder call(decoder_, callee, *facts, this);
    if (auto run = call.run(std::move(arguments), constructs_[structure_.construct_of[block_]]); !run) {
      return run;
    }
    result = call.returned();
  }
  result.type = statement.type_id;
  decoder_.set_value(statement.result_id, std::move(result));
  return {};
}

Expected<void> FunctionDecoder::decode_terminator(const spirv::Statement& statement) {
  switch (statement.opcode) {
    case Op::OpBranch: {
      const auto target = block_of(statement, decoder_.module().operands(statement)[0]);
      return target ? emit_edge(*target, true) : Expected<void>(tl::unexpected<Error>(target.error()));
    }
    case Op::OpBranchConditional:
      return decode_conditional(statement);
    case Op::OpSwitch:
      return decode_switch(statement);
    case Op::OpUnreachable:
      decoder_.builder().emit({.handler = unreachable_handler()});
      return {};
    default:
      return decode_return(statement);
  }
}

Expected<void> FunctionDecoder::decode_conditional(const spirv::Statement& statement) {
  const auto words = decoder_.module().operands(statement);
  const auto condition = decoder_.value(words[0]);
  if (!condition) {
    return tl::unexpected<Error>(condition.error());
  }
  if (words[1] == words[2]) {
    const auto target = block_of(statement, words[1]);
    return target ? emit_edge(*target, true) : Expected<void>(tl::unexpected<Error>(target.error()));
  }
  const auto yes = exit_to(statement, words[1]);
  const auto no = exit_to(statement, words[2]);
  if (!yes || !no) {
    return tl::unexpected<Error>(yes ? no.error() : yes.error());
  }
  decoder_.builder().emit({.handler = branch_handler(),
                           .a = condition->leaves[0],
                           .count = no->label,
                           .imm = yes->label,
                           .aux = branching_construct(),
                           .imm_is_label = true,
                           .count_is_label = true});
  return emit_stubs({*yes, *no});
}

Expected<void> FunctionDecoder::decode_switch(const spirv::Statement& statement) {
  const auto words = decoder_.module().operands(statement);
  const auto selector = decoder_.value(words[0]);
  if (!selector) {
    return tl::unexpected<Error>(selector.error());
  }
  std::vector<Exit> exits;
  const auto exit_for = [&](std::uint32_t label) -> Expected<Label> {
    auto exit = exit_to(statement, label);
    if (!exit) {
      return tl::unexpected<Error>(std::move(exit.error()));
    }
    const auto same = std::ranges::find(exits, exit->target, &Exit::target);
    if (same != exits.end()) {
      return same->label;
    }
    exits.push_back(*exit);
    return exit->label;
  };
  const auto bytes = bytes_of(decoder_.element(selector->type));
  const auto literal_words = spirv::switch_literal_words(decoder_.module(), statement);
  SwitchTable table;
  auto otherwise = exit_for(words[1]);
  if (!otherwise) {
    return tl::unexpected<Error>(std::move(otherwise.error()));
  }
  table.otherwise = *otherwise;
  for (std::size_t word = 2; word + literal_words < words.size(); word += literal_words + 1) {
    std::uint64_t value = words[word];
    if (literal_words == 2) {
      value |= std::uint64_t{words[word + 1]} << 32U;
    } else if (bytes < 4) {
      value &= (std::uint64_t{1} << (8U * bytes)) - 1;
    }
    auto label = exit_for(words[word + literal_words]);
    if (!label) {
      return tl::unexpected<Error>(std::move(label.error()));
    }
    table.cases.push_back({value, *label});
  }
  decoder_.builder().emit({.handler = switch_handler(),
                           .a = selector->leaves[0],
                           .count = bytes,
                           .imm = decoder_.builder().add_switch(std::move(table)),
                           .aux = branching_construct()});
  return emit_stubs(std::move(exits));
}

Expected<void> FunctionDecoder::decode_return(const spirv::Statement& statement) {
  if (statement.opcode == Op::OpReturnValue) {
    auto value = decoder_.value(decoder_.module().operands(statement)[0]);
    if (!value) {
      return tl::unexpected<Error>(std::move(value.error()));
    }
    if (value->pointer) {
      auto bits = decoder_.fat_pointer(*value->pointer, statement);
      if (!bits) {
        return tl::unexpected<Error>(std::move(bits.error()));
      }
      value->leaves = {*bits};
    }
    const auto elements = decoder_.leaves(function_.return_type);
    for (std::size_t leaf = 0; elements && leaf < returned_.leaves.size() && leaf < value->leaves.size(); ++leaf) {
      decoder_.masked_copy(returned_.leaves[leaf], value->leaves[leaf], (*elements)[leaf]);
    }
  }
  decoder_.builder().emit({.handler = park_at_merge_handler(), .imm = constructs_[0], .aux = branching_construct()});
  return {};
}

Expected<void> decode_call(Decoder& decoder, const spirv::Statement& statement) {
  return decoder.function() == nullptr ? decoder.malformed(statement, "a call outside of functions")
                                       : decoder.function()->decode_call(statement);
}

Expected<void> decode_terminator(Decoder& decoder, const spirv::Statement& statement) {
  return decoder.function() == nullptr ? decoder.malformed(statement, "a branch outside of functions")
                                       : decoder.function()->decode_terminator(statement);
}

Expected<void> decode_entry_point(Decoder& decoder, std::uint32_t function_id) {
  const auto found = decoder.module().functions.find(function_id);
  if (found == decoder.module().functions.end() || found->second.blocks.empty()) {
    return fail(ErrorCode::invalid_input, fmt::format("The entry point %{} has no body.", function_id));
  }
  const auto facts = make_facts(decoder.module(), found->second);
  if (!facts) {
    return tl::unexpected<Error>(facts.error());
  }
  FunctionDecoder entry(decoder, found->second, *facts, nullptr);
  if (auto run = entry.run({}, 0); !run) {
    return run;
  }
  decoder.builder().emit({.handler = end_handler()});
  return {};
}

}  // namespace crosslane::machine
