// Loads, stores and copies of memory.
#include <utility>

#include "machine/decode/access.hpp"
#include "machine/decode/decoder.hpp"
#include "machine/decode/families.hpp"
#include "machine/decode/layout.hpp"
#include "machine/handlers.hpp"
#include "machine/memory.hpp"
#include "machine/observe.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

// The operation, behind one with the same operands that follows undefined values.
void emit_followed(Decoder& decoder, const DraftOp& op, Handler poison) {
  auto before = op;
  before.handler = poison;
  decoder.follow(before);
  decoder.builder().emit(op);
}

// One run of a variable's rows, from its leaf `leaf` on.
void load_rows(Decoder& decoder, const Pointer& pointer, const MemoryRun& run, std::span<const Ref> to) {
  const auto bytes = bytes_of(run.element);
  const auto leaf = pointer.constant + run.offset;
  if (pointer.offset.none() && bytes == pointer.slot && leaf + run.components <= pointer.leaves && run.stride == 1) {
    const DraftOp op{.handler = copy_handler(),
                     .dst = to[0],
                     .a = {pointer.rows.reg,
                           pointer.rows.offset + static_cast<std::uint32_t>(leaf) * pointer.slot * decoder.padded()},
                     .count = run.components * decoder.row_bytes(run.element)};
    emit_followed(decoder, op, poison_copy_handler());
    return;
  }
  const DraftOp op{.handler = load_private_handler(bytes, pointer.slot),
                   .dst = to[0],
                   .a = pointer.offset,
                   .b = pointer.rows,
                   .count = run.components,
                   .imm = saturate(leaf),
                   .aux = pointer.leaves,
                   .extra = run.stride};
  emit_followed(decoder, op, poison_load_private_handler(pointer.slot, bytes));
}

void store_rows(Decoder& decoder, const Pointer& pointer, const MemoryRun& run, Ref from) {
  const auto bytes = bytes_of(run.element);
  const auto leaf = pointer.constant + run.offset;
  if (pointer.offset.none() && bytes == pointer.slot && leaf + run.components <= pointer.leaves && run.stride == 1) {
    DraftOp op{.handler = poison_masked_copy_handler(),
               .dst = {pointer.rows.reg,
                       pointer.rows.offset + static_cast<std::uint32_t>(leaf) * pointer.slot * decoder.padded()},
               .a = from,
               .count = run.components,
               .imm = bytes};
    decoder.follow(op);
    op.handler = masked_copy_handler(bytes);
    op.count *= decoder.padded();
    op.imm = 0;
    decoder.builder().emit(op);
    return;
  }
  const DraftOp op{.handler = store_private_handler(bytes, pointer.slot),
                   .a = pointer.offset,
                   .b = pointer.rows,
                   .c = from,
                   .count = run.components,
                   .imm = saturate(leaf),
                   .aux = pointer.leaves,
                   .extra = run.stride};
  emit_followed(decoder, op, poison_store_private_handler(pointer.slot, bytes));
}

DraftOp access(const Pointer& pointer, const MemoryRun& run) {
  return {.a = pointer.offset,
          .count = run.components,
          .imm = saturate(spirv::saturating_add(pointer.constant, run.offset)),
          .aux = pointer.root,
          .extra = run.stride};
}

// The memory operand words of an access, from `first` on: true where others may see or change the memory meanwhile.
bool is_volatile(std::span<const std::uint32_t> words, std::size_t first) {
  constexpr auto shared = static_cast<std::uint32_t>(spv::MemoryAccessMask::Volatile) |
                          static_cast<std::uint32_t>(spv::MemoryAccessMask::MakePointerAvailable) |
                          static_cast<std::uint32_t>(spv::MemoryAccessMask::MakePointerVisible);
  return words.size() > first && (words[first] & shared) != 0;
}

}  // namespace

void observe_access(Decoder& decoder, const Pointer& pointer, const DraftOp& op, Element element, AccessPlan plan) {
  if (!decoder.options().observed) {
    return;
  }
  plan.component_bytes = bytes_of(element);
  plan.components = op.count;
  plan.stride = op.extra;
  plan.physical = pointer.kind == PointerKind::physical;
  plan.coherent = pointer.coherent;
  auto& plans = decoder.program().accesses;
  plans.push_back(plan);
  auto watched = op;
  watched.handler = observe_access_handler(address_mode(pointer));
  watched.dst = {};
  watched.c = {};
  watched.count = static_cast<std::uint32_t>(plans.size() - 1);
  decoder.builder().emit(watched);
  watched.handler = poison_access_handler(address_mode(pointer));
  watched.dst = op.dst;
  watched.c = op.c;
  decoder.follow(watched);
}

AddressMode address_mode(const Pointer& pointer) {
  switch (pointer.kind) {
    case PointerKind::fat:
      return AddressMode::fat;
    case PointerKind::physical:
      return AddressMode::physical;
    default:
      return AddressMode::rooted;
  }
}

bool is_groupshared(const Pointer& pointer) { return pointer.layout == Layout::packed; }

Expected<Value> load(Decoder& decoder, const spirv::Statement& statement, const Pointer& pointer) {
  if (pointer.kind == PointerKind::resource) {
    return Value{pointer.pointee, {}, pointer};
  }
  if (pointer.kind == PointerKind::built_in && pointer.offset.none()) {
    const auto elements = decoder.leaves(pointer.pointee);
    Value value{pointer.pointee, {}, {}};
    for (std::uint32_t leaf = 0; elements && leaf < elements->size(); ++leaf) {
      const auto row = static_cast<std::uint32_t>(pointer.constant) + leaf;
      value.leaves.push_back({pointer.rows.reg, pointer.rows.offset + row * decoder.row_bytes(Element::int32)});
    }
    return value;
  }
  if (decoder.type(pointer.pointee).opcode == Op::OpTypeRuntimeArray || pointer.descriptors != 0) {
    return decoder.refuse(statement, "a load of a whole array of unknown length");
  }
  auto runs = memory_runs(decoder, pointer);
  auto value = decoder.new_value(pointer.pointee);
  if (!runs || !value) {
    return tl::unexpected<Error>(runs ? value.error() : runs.error());
  }
  if (pointer.coherent && !is_groupshared(pointer)) {
    decoder.take_turn();
  }
  std::size_t leaf = 0;
  for (const auto& run : *runs) {
    const auto to = std::span<const Ref>(value->leaves).subspan(leaf, run.components);
    leaf += run.components;
    if (pointer.kind == PointerKind::variable || pointer.kind == PointerKind::built_in) {
      load_rows(decoder, pointer, run, to);
      continue;
    }
    auto op = access(pointer, run);
    op.dst = to[0];
    observe_access(decoder, pointer, op, run.element, {.kind = AccessKind::read, .opcode = statement.opcode});
    op.handler = load_handler(address_mode(pointer), bytes_of(run.element));
    decoder.builder().emit(op);
  }
  return value;
}

Expected<void> store(Decoder& decoder, const spirv::Statement& statement, const Pointer& pointer, const Value& value) {
  if (pointer.kind == PointerKind::resource || pointer.kind == PointerKind::built_in) {
    return decoder.malformed(statement, "a store to what cannot be written");
  }
  auto runs = memory_runs(decoder, pointer);
  if (!runs) {
    return failed(runs.error());
  }
  std::vector<Ref> leaves = value.leaves;
  if (value.pointer) {
    auto bits = decoder.fat_pointer(*value.pointer, statement);
    if (!bits) {
      return failed(bits.error());
    }
    leaves = {*bits};
  }
  if (pointer.coherent && !is_groupshared(pointer)) {
    decoder.take_turn();
  }
  std::size_t leaf = 0;
  for (const auto& run : *runs) {
    if (leaf + run.components > leaves.size()) {
      return decoder.malformed(statement, "a value has not the type that its place has");
    }
    const Ref from = decoder.contiguous(std::span<const Ref>(leaves).subspan(leaf, run.components), run.element);
    leaf += run.components;
    if (pointer.kind == PointerKind::variable) {
      store_rows(decoder, pointer, run, from);
      continue;
    }
    auto op = access(pointer, run);
    op.b = from;
    observe_access(decoder, pointer, op, run.element, {.kind = AccessKind::write, .opcode = statement.opcode});
    op.handler = store_handler(address_mode(pointer), bytes_of(run.element));
    decoder.builder().emit(op);
  }
  return {};
}

Expected<void> decode_load(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto pointer = decoder.pointer(words[2]);
  if (!pointer) {
    return failed(pointer.error());
  }
  pointer->coherent = pointer->coherent || is_volatile(words, 3);
  auto value = load(decoder, statement, *pointer);
  if (!value) {
    return failed(value.error());
  }
  value->type = statement.type_id;
  decoder.set_value(statement.result_id, std::move(*value));
  return {};
}

Expected<void> decode_store(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto pointer = decoder.pointer(words[0]);
  auto value = decoder.value(words[1]);
  if (!pointer || !value) {
    return tl::unexpected<Error>(pointer ? value.error() : pointer.error());
  }
  pointer->coherent = pointer->coherent || is_volatile(words, 2);
  return store(decoder, statement, *pointer, *value);
}

Expected<void> decode_copy_memory(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto to = decoder.pointer(words[0]);
  auto from = decoder.pointer(words[1]);
  if (!to || !from) {
    return tl::unexpected<Error>(to ? from.error() : to.error());
  }
  from->coherent = from->coherent || is_volatile(words, 2);
  to->coherent = to->coherent || is_volatile(words, 2);
  auto value = load(decoder, statement, *from);
  if (!value) {
    return failed(value.error());
  }
  return store(decoder, statement, *to, *value);
}

}  // namespace crosslane::machine
