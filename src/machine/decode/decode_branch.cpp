// Branches: edges between blocks, what phis take on them, and where lanes wait for each other.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "machine/control.hpp"
#include "machine/decode/families.hpp"
#include "machine/decode/function_decoder.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {

using spirv::EdgeKind;
using spv::Op;

Expected<std::uint32_t> FunctionDecoder::block_of(const spirv::Statement& statement, std::uint32_t label) const {
  const auto found = structure_.block_of_label.find(label);
  if (found == structure_.block_of_label.end()) {
    return decoder_.malformed(statement, fmt::format("%{} is no block of this function", label));
  }
  return found->second;
}

// What the phis of `target` take when this block goes there.
Expected<std::vector<FunctionDecoder::Copy>> FunctionDecoder::phi_copies(std::uint32_t target) {
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
void FunctionDecoder::emit_copies(std::vector<Copy> copies) {
  std::unordered_set<std::uint32_t> written;
  for (const auto& copy : copies) {
    written.insert(copy.to.reg);
  }
  for (auto& copy : copies) {
    if (written.contains(copy.from.reg)) {
      const Ref row = decoder_.new_row(copy.element);
      decoder_.follow({}, row, copy.from);
      decoder_.builder().emit(
          {.handler = copy_handler(), .dst = row, .a = copy.from, .count = decoder_.row_bytes(copy.element)});
      copy.from = row;
    }
  }
  for (const auto& copy : copies) {
    decoder_.masked_copy(copy.to, copy.from, copy.element);
  }
}

// The active lanes go to `target`; `at_once`, or when all other lanes of the branch have done what their edges need.
Expected<void> FunctionDecoder::emit_edge(std::uint32_t target, bool at_once) {
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
      emit_leave(construct);
      break;
    case EdgeKind::continue_loop:
      if (structure_.constructs[edge.construct].header == target) {  // a loop of one block: no other edge goes back
        builder.emit({.handler = count_iteration_handler()});
      }
      builder.emit(
          {.handler = decoder_.options().independent_lanes ? leave_at_continue_handler() : park_at_continue_handler(),
           .imm = construct,
           .aux = branching_construct()});
      break;
    case EdgeKind::next_case:
      emit_wait(construct, target);
      break;
  }
  return {};
}

// The active lanes go to the merge block of `construct`.
void FunctionDecoder::emit_leave(std::uint32_t construct) {
  decoder_.builder().emit(
      {.handler = decoder_.options().independent_lanes ? leave_at_merge_handler() : park_at_merge_handler(),
       .imm = construct,
       .aux = branching_construct()});
}

// The active lanes wait in `construct` until it is the turn of `target`.
void FunctionDecoder::emit_wait(std::uint32_t construct, std::uint32_t target) {
  decoder_.builder().emit({.handler = park_at_case_handler(),
                           .count = construct,
                           .imm = block_labels_[target],
                           .aux = branching_construct(),
                           .imm_is_label = true});
}

Expected<FunctionDecoder::Exit> FunctionDecoder::exit_to(const spirv::Statement& statement, std::uint32_t label) {
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
Expected<void> FunctionDecoder::emit_stubs(std::vector<Exit> exits) {
  std::stable_partition(exits.begin(), exits.end(),
                        [&](const Exit& exit) { return structure_.edge(block_, exit.target).kind != EdgeKind::back; });
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
  decoder_.follow({.handler = poison_use_handler(Use::branch),
                   .a = condition->leaves[0],
                   .count = 1,
                   .imm = bytes_of(Element::boolean)});
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
  decoder_.follow({.handler = poison_use_handler(Use::branch), .a = selector->leaves[0], .count = 1, .imm = bytes});
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
  emit_leave(constructs_[0]);
  return {};
}

Expected<void> decode_terminator(Decoder& decoder, const spirv::Statement& statement) {
  return decoder.function() == nullptr ? decoder.malformed(statement, "a branch outside of functions")
                                       : decoder.function()->decode_terminator(statement);
}

}  // namespace crosslane::machine
