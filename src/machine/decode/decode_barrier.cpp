// Barriers, fences, atomics and the clock.
#include <utility>

#include <fmt/format.h>

#include "machine/control.hpp"
#include "machine/decode/access.hpp"
#include "machine/decode/decoder.hpp"
#include "machine/decode/families.hpp"
#include "machine/handlers.hpp"
#include "machine/memory.hpp"
#include "machine/observe.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

Expected<spv::Scope> scope(const Decoder& decoder, const spirv::Statement& statement, std::uint32_t id) {
  const auto value = decoder.constant(id);
  if (!value) {
    return decoder.refuse(statement, "a scope that is no constant");
  }
  return static_cast<spv::Scope>(*value);
}

// OpAtomicFlagTestAndSet and OpAtomicFlagClear are of kernels and not in the table.
struct AtomicShape {
  std::size_t first = 2;  // word of the pointer
  std::size_t value = 5;  // word of the operand; 0 for none
  std::size_t comparator = 0;
};

AtomicShape shape(Op opcode) {
  switch (opcode) {
    case Op::OpAtomicLoad:
    case Op::OpAtomicIIncrement:
    case Op::OpAtomicIDecrement:
      return {2, 0, 0};
    case Op::OpAtomicStore:
      return {0, 3, 0};
    case Op::OpAtomicCompareExchange:
      return {2, 6, 7};
    default:
      return {2, 5, 0};
  }
}

// Semantics that are no constants order nothing that a checker could count on.
MemoryOrder memory_order(const Decoder& decoder, std::uint32_t scope_id, std::uint32_t semantics_id) {
  return {
      static_cast<spv::Scope>(decoder.constant(scope_id).value_or(static_cast<std::uint64_t>(spv::Scope::Invocation))),
      static_cast<std::uint32_t>(decoder.constant(semantics_id).value_or(0))};
}

std::uint32_t note_barrier(Decoder& decoder, const BarrierPlan& plan) {
  auto& plans = decoder.program().barriers;
  plans.push_back(plan);
  return static_cast<std::uint32_t>(plans.size() - 1);
}

void emit_fence(Decoder& decoder, const BarrierPlan& plan) {
  if (decoder.options().observed) {
    decoder.builder().emit({.handler = observe_fence_handler(), .imm = note_barrier(decoder, plan)});
  }
  decoder.builder().emit({.handler = fence_handler()});
}

}  // namespace

Expected<void> decode_barrier(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  if (statement.opcode == Op::OpMemoryBarrier) {
    emit_fence(decoder, {spv::Scope::Invocation, memory_order(decoder, words[0], words[1])});
    return {};
  }
  const auto execution = scope(decoder, statement, words[0]);
  if (!execution) {
    return tl::unexpected<Error>(execution.error());
  }
  const BarrierPlan plan{*execution, memory_order(decoder, words[1], words[2])};
  switch (*execution) {
    case spv::Scope::Workgroup:
      decoder.builder().emit({.handler = barrier_handler(), .imm = note_barrier(decoder, plan)});
      return {};
    case spv::Scope::Subgroup:  // the lanes of a wave go in step
    case spv::Scope::Invocation:
      emit_fence(decoder, plan);
      return {};
    default:
      return decoder.refuse(statement, fmt::format("a barrier of the scope {}", static_cast<unsigned>(*execution)));
  }
}

Expected<void> decode_atomic(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  const auto where = shape(statement.opcode);
  auto pointer = decoder.pointer(words[where.first]);
  if (!pointer) {
    return tl::unexpected<Error>(std::move(pointer.error()));
  }
  const bool in_memory = pointer->kind == PointerKind::rooted || pointer->kind == PointerKind::fat ||
                         pointer->kind == PointerKind::physical;
  const auto element = decoder.element(pointer->pointee);
  const auto handler =
      in_memory ? atomic_handler(statement.opcode, element, address_mode(*pointer), is_groupshared(*pointer)) : nullptr;
  if (handler == nullptr) {
    return decoder.refuse(statement, "it on this type or this memory");
  }
  DraftOp op{
      .handler = handler, .a = pointer->offset, .count = 1, .imm = saturate(pointer->constant), .aux = pointer->root};
  for (const auto& [word, ref] : {std::pair{where.value, &op.b}, std::pair{where.comparator, &op.c}}) {
    if (word != 0) {
      auto value = decoder.value(words[word]);
      if (!value) {
        return tl::unexpected<Error>(std::move(value.error()));
      }
      *ref = value->leaves.at(0);
    }
  }
  if (statement.result_id != 0) {
    op.dst = decoder.new_row(element);
    decoder.set_value(statement.result_id, {statement.type_id, {op.dst}, {}});
  }
  if (!is_groupshared(*pointer)) {
    decoder.take_turn();
  }
  const std::size_t scope_word = where.first + 1;
  observe_access(decoder, *pointer, op, element,
                 {.kind = AccessKind::atomic,
                  .opcode = statement.opcode,
                  .order = memory_order(decoder, words[scope_word], words[scope_word + 1])});
  decoder.builder().emit(op);
  return {};
}

Expected<void> decode_clock(Decoder& decoder, const spirv::Statement& statement) {
  auto value = decoder.new_value(statement.type_id);
  if (!value) {
    return tl::unexpected<Error>(std::move(value.error()));
  }
  const bool halves = value->leaves.size() == 2;
  decoder.follow_fill(value->leaves[0], halves ? 2 : 1, halves ? 4 : 8);
  decoder.builder().emit({.handler = clock_handler(), .dst = value->leaves[0], .imm = halves ? 1U : 0U});
  return set_result(decoder, statement, std::move(value));
}

}  // namespace crosslane::machine
