// Functions: blocks in structured order, calls decoded in place.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "machine/control.hpp"
#include "machine/decode/families.hpp"
#include "machine/decode/function_decoder.hpp"
#include "machine/decode/opcode_table.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

// Calls are decoded where they stand: a program that calls in many ways grows without measure.
constexpr std::size_t largest_program = std::size_t{1} << 21U;
constexpr std::size_t deepest_call = 64;

}  // namespace

// Emits the function; its lanes meet again after the last operation.
Expected<void> FunctionDecoder::run(std::vector<Value> arguments, std::uint32_t parent_construct) {
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
  if (decoder_.options().independent_lanes) {
    builder.emit({.handler = enter_handler(), .imm = constructs_[0]});
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

// Rows of phis and of the function's result: several places write them.
Expected<void> FunctionDecoder::prepare_results() {
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

Expected<void> FunctionDecoder::decode_block(std::size_t place) {
  block_ = structure_.order[place];
  next_block_ = place + 1 < structure_.order.size() ? structure_.order[place + 1] : spirv::no_block;
  first_op_[block_] = decoder_.builder().size();
  decoder_.builder().bind(block_labels_[block_]);
  name_block_start();
  for (const auto& statement : function_.blocks[block_].statements) {
    if (decoder_.builder().size() > largest_program) {
      return decoder_.refuse(statement, fmt::format("programs of more than {} operations", largest_program));
    }
    if (statement.opcode == Op::OpPhi) {
      continue;
    }
    part_or_meet(statement);
    if (auto decoded = decoder_.decode(statement); !decoded) {
      return decoded;
    }
    const bool keeps = decoder_.options().independent_lanes && statement.result_id != 0 &&
                       decoder_.type(statement.type_id).opcode != Op::OpTypeVoid;
    if (keeps || escaping_.contains(statement.result_id)) {
      if (auto kept = keep_for_lanes_that_left(statement); !kept) {
        return kept;
      }
    }
  }
  end_op_[block_] = decoder_.builder().size();
  return {};
}

// What comes before the block's first instruction stands where that one does: a loop that never ends is told there.
void FunctionDecoder::name_block_start() {
  for (const auto& statement : function_.blocks[block_].statements) {
    const auto* row = find_opcode(statement.opcode);
    if (row != nullptr && row->family != Family::none) {
      decoder_.builder().set_source({statement.opcode, decoder_.module().lines[statement.line]});
      return;
    }
  }
}

// Where lanes are independent they run one by one from an access to memory to the next operation of the whole wave.
void FunctionDecoder::part_or_meet(const spirv::Statement& statement) {
  const auto* row = find_opcode(statement.opcode);
  if (!decoder_.options().independent_lanes || row == nullptr) {
    return;
  }
  const bool memory = row->family == Family::memory || row->family == Family::atomic;
  const bool joint = row->family == Family::wave || row->family == Family::barrier || row->family == Family::control;
  if (memory && !apart_) {
    decoder_.builder().emit({.handler = apart_handler(), .aux = branching_construct()});
    apart_ = true;
  } else if (joint && apart_) {
    decoder_.builder().emit({.handler = together_handler(), .aux = branching_construct()});
    apart_ = false;
  }
  const auto opened = structure_.branches_in[block_];
  const bool opens = opened != 0 && structure_.constructs[opened].header == block_;
  if (opens && &statement == &function_.blocks[block_].statements.back()) {
    decoder_.builder().emit({.handler = enter_handler(), .imm = constructs_[opened]});
  }
}

// Moves the result into rows that only active lanes write.
Expected<void> FunctionDecoder::keep_for_lanes_that_left(const spirv::Statement& statement) {
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

Ref FunctionDecoder::kept(Ref row, Element element) {
  const Ref own = decoder_.new_row(element);
  decoder_.masked_copy(own, row, element);
  return own;
}

// Operations of each loop, inner loops first.
void FunctionDecoder::note_loops() {
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
  const auto facts = decoder_.facts(callee);
  if (!facts) {
    return tl::unexpected<Error>(facts.error());
  }
  Value result;
  {
    FunctionDecoder call(decoder_, callee, **facts, this);
    if (auto run = call.run(std::move(arguments), constructs_[structure_.construct_of[block_]]); !run) {
      return run;
    }
    result = call.returned();
  }
  result.type = statement.type_id;
  decoder_.set_value(statement.result_id, std::move(result));
  return {};
}

Expected<void> decode_call(Decoder& decoder, const spirv::Statement& statement) {
  return decoder.function() == nullptr ? decoder.malformed(statement, "a call outside of functions")
                                       : decoder.function()->decode_call(statement);
}

Expected<void> decode_entry_point(Decoder& decoder, std::uint32_t function_id) {
  const auto found = decoder.module().functions.find(function_id);
  if (found == decoder.module().functions.end() || found->second.blocks.empty()) {
    return fail(ErrorCode::invalid_input, fmt::format("The entry point %{} has no body.", function_id));
  }
  const auto facts = decoder.facts(found->second);
  if (!facts) {
    return tl::unexpected<Error>(facts.error());
  }
  FunctionDecoder entry(decoder, found->second, **facts, nullptr);
  if (auto run = entry.run({}, 0); !run) {
    return run;
  }
  decoder.builder().emit({.handler = end_handler()});
  return {};
}

}  // namespace crosslane::machine
