// Loads, stores, copies, access chains and pointers as values.
#include <array>
#include <utility>

#include <fmt/format.h>

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

Expected<void> failed(Error& error) { return tl::unexpected<Error>(std::move(error)); }

// One run of a variable's rows, from its leaf `leaf` on.
void load_rows(Decoder& decoder, const Pointer& pointer, const MemoryRun& run, std::span<const Ref> to) {
  const auto bytes = bytes_of(run.element);
  const auto leaf = pointer.constant + run.offset;
  if (pointer.offset.none() && bytes == pointer.slot && leaf + run.components <= pointer.leaves && run.stride == 1) {
    decoder.builder().emit({.handler = copy_handler(),
                            .dst = to[0],
                            .a = {pointer.rows.reg, pointer.rows.offset + static_cast<std::uint32_t>(leaf) *
                                                                              pointer.slot * decoder.padded()},
                            .count = run.components * decoder.row_bytes(run.element)});
    return;
  }
  decoder.builder().emit({.handler = load_private_handler(bytes, pointer.slot),
                          .dst = to[0],
                          .a = pointer.offset,
                          .b = pointer.rows,
                          .count = run.components,
                          .imm = saturate(leaf),
                          .aux = pointer.leaves,
                          .extra = run.stride});
}

void store_rows(Decoder& decoder, const Pointer& pointer, const MemoryRun& run, Ref from) {
  const auto bytes = bytes_of(run.element);
  const auto leaf = pointer.constant + run.offset;
  if (pointer.offset.none() && bytes == pointer.slot && leaf + run.components <= pointer.leaves && run.stride == 1) {
    decoder.builder().emit({.handler = masked_copy_handler(bytes),
                            .dst = {pointer.rows.reg, pointer.rows.offset + static_cast<std::uint32_t>(leaf) *
                                                                                pointer.slot * decoder.padded()},
                            .a = from,
                            .count = run.components * decoder.padded()});
    return;
  }
  decoder.builder().emit({.handler = store_private_handler(bytes, pointer.slot),
                          .a = pointer.offset,
                          .b = pointer.rows,
                          .c = from,
                          .count = run.components,
                          .imm = saturate(leaf),
                          .aux = pointer.leaves,
                          .extra = run.stride});
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

// Adds `index` × `stride` to the pointer's offset.
Expected<void> advance(Decoder& decoder, const spirv::Statement& statement, Pointer& pointer, std::uint32_t index_id,
                       std::uint64_t stride) {
  if (const auto known = decoder.constant(index_id)) {
    const auto bits = 8U * bytes_of(decoder.element(decoder.type_of(index_id)));
    // A negative constant is an offset beyond everything, as a negative index that is no constant is.
    const bool negative =
        bits < 64 && ((*known >> (bits - 1)) & 1U) != 0 && decoder.is_signed(decoder.type_of(index_id));
    pointer.constant = negative && pointer.kind != PointerKind::physical
                           ? ~std::uint64_t{0}
                           : spirv::saturating_add(pointer.constant, spirv::saturating_multiply(*known, stride));
    return {};
  }
  if (stride > 0xFFFFFFFF) {
    return decoder.refuse(statement, "elements of more than 2^32 bytes");
  }
  auto index = index_row(decoder, index_id);
  if (!index) {
    return failed(index.error());
  }
  const bool bits64 = pointer.kind == PointerKind::fat || pointer.kind == PointerKind::physical;
  const Ref moved = decoder.new_row(bits64 ? Element::int64 : Element::int32);
  decoder.builder().emit({.handler = bits64 ? pointer_offset_handler(address_mode(pointer)) : offset_handler(),
                          .dst = moved,
                          .a = pointer.offset,
                          .b = *index,
                          .extra = static_cast<std::uint32_t>(stride)});
  pointer.offset = moved;
  return {};
}

// The first index of a pointer to an array of descriptors chooses one of them.
Expected<void> choose_descriptor(Decoder& decoder, Pointer& pointer, std::uint32_t index_id) {
  const auto count = std::exchange(pointer.descriptors, 0);
  if (const auto known = decoder.constant(index_id)) {
    // One outside of the array reads as an empty buffer: the offset is beyond everything.
    if (*known >= count) {
      pointer.constant = ~std::uint64_t{0};
    } else {
      pointer.root += static_cast<std::uint32_t>(*known);
    }
    return {};
  }
  auto index = index_row(decoder, index_id);
  if (!index) {
    return failed(index.error());
  }
  const Ref bits = decoder.new_row(Element::int64);
  decoder.builder().emit(
      {.handler = make_pointer_handler(), .dst = bits, .b = *index, .count = count, .aux = pointer.root});
  pointer.offset = bits;
  if (pointer.kind == PointerKind::rooted) {
    pointer.kind = PointerKind::fat;
  }
  return {};
}

Expected<void> step(Decoder& decoder, const spirv::Statement& statement, Pointer& pointer, std::uint32_t index_id) {
  const auto& type = decoder.type(pointer.pointee);
  if (pointer.descriptors != 0) {
    pointer.pointee = type.operands[0];
    return choose_descriptor(decoder, pointer, index_id);
  }
  switch (type.opcode) {
    case Op::OpTypeStruct: {
      const auto member = decoder.constant(index_id);
      if (!member || *member >= type.operands.size()) {
        return decoder.malformed(statement, "an index into a struct is no constant inside it");
      }
      const auto number = static_cast<std::uint32_t>(*member);
      const auto& tables = decoder.module().tables;
      pointer.constant =
          spirv::saturating_add(pointer.constant, member_offset(decoder, pointer.pointee, number, pointer.layout));
      pointer.matrix = matrix_layout(decoder, pointer.pointee, number, pointer.matrix);
      pointer.coherent = pointer.coherent ||
                         tables.member_decoration(pointer.pointee, number, spv::Decoration::Coherent).has_value() ||
                         tables.member_decoration(pointer.pointee, number, spv::Decoration::Volatile).has_value();
      pointer.pointee = type.operands[number];
      return {};
    }
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray: {
      const auto stride = array_stride(decoder, pointer.pointee, pointer.layout);
      pointer.pointee = type.operands[0];
      return advance(decoder, statement, pointer, index_id, stride);
    }
    case Op::OpTypeMatrix: {
      const auto place = column_place(decoder, pointer.pointee, 1, pointer.layout, std::exchange(pointer.matrix, {}));
      pointer.component_stride = place.component_stride;
      pointer.pointee = type.operands[0];
      return advance(decoder, statement, pointer, index_id, place.offset);
    }
    case Op::OpTypeVector: {
      const auto unit = pointer.layout == Layout::leaves ? 1 : bytes_of(decoder.element(pointer.pointee));
      const auto stride = pointer.component_stride == 0 ? unit : pointer.component_stride;
      pointer.component_stride = 0;
      pointer.pointee = type.operands[0];
      return advance(decoder, statement, pointer, index_id, stride);
    }
    default:
      return decoder.malformed(statement, "an index goes into what has no parts");
  }
}

}  // namespace

void observe_access(Decoder& decoder, const Pointer& pointer, const DraftOp& op, AccessKind kind, Element element) {
  if (decoder.options().observed) {
    auto watched = op;
    watched.handler = observe_access_handler(address_mode(pointer));
    watched.dst = watched.b = watched.c = {};
    watched.count = access_shape(kind, op.count, bytes_of(element));
    decoder.builder().emit(watched);
  }
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

Expected<Ref> index_row(Decoder& decoder, std::uint32_t id) {
  auto value = decoder.value(id);
  if (!value) {
    return tl::unexpected<Error>(std::move(value.error()));
  }
  const auto element = decoder.element(value->type);
  if (bytes_of(element) == 4) {
    return value->leaves[0];
  }
  if (bytes_of(element) == 8) {
    // What 32 bits cannot hold is beyond everything.
    const Ref limited = decoder.apply(integer_handler(IntegerOp::minimum_unsigned, element), element, value->leaves[0],
                                      decoder.constant_row(element, 0xFFFFFFFF));
    return decoder.apply(convert_handler(element, false, Element::int32, false), Element::int32, limited);
  }
  return decoder.apply(convert_handler(element, decoder.is_signed(value->type), Element::int32, true), Element::int32,
                       value->leaves[0]);
}

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
    observe_access(decoder, pointer, op, AccessKind::read, run.element);
    op.handler = load_handler(address_mode(pointer), bytes_of(run.element));
    op.dst = to[0];
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
    observe_access(decoder, pointer, op, AccessKind::write, run.element);
    op.handler = store_handler(address_mode(pointer), bytes_of(run.element));
    op.b = from;
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

Expected<void> decode_access_chain(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto pointer = decoder.pointer(words[2]);
  if (!pointer) {
    return failed(pointer.error());
  }
  auto indices = words.subspan(3);
  if (statement.opcode == Op::OpPtrAccessChain || statement.opcode == Op::OpInBoundsPtrAccessChain) {
    if (indices.empty() || pointer->descriptors != 0) {
      return decoder.malformed(statement, "a pointer cannot be moved so");
    }
    const auto described = decoder.module().tables.decoration(decoder.type_of(words[2]), spv::Decoration::ArrayStride);
    const auto stride = pointer->layout == Layout::described && described
                            ? *described
                            : size_of(decoder, pointer->pointee, pointer->layout);
    if (auto moved = advance(decoder, statement, *pointer, indices[0], stride); !moved) {
      return moved;
    }
    indices = indices.subspan(1);
  }
  for (const auto index : indices) {
    if (auto stepped = step(decoder, statement, *pointer, index); !stepped) {
      return stepped;
    }
  }
  decoder.set_value(statement.result_id, {statement.type_id, {}, *pointer});
  return {};
}

Expected<void> decode_array_length(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto pointer = decoder.pointer(words[2]);
  if (!pointer) {
    return failed(pointer.error());
  }
  const auto& block = decoder.type(pointer->pointee);
  if (block.opcode != Op::OpTypeStruct || words[3] >= block.operands.size() || pointer->kind == PointerKind::physical ||
      pointer->descriptors != 0) {
    return decoder.malformed(statement, "only buffers have a length");
  }
  const auto stride = array_stride(decoder, block.operands[words[3]], pointer->layout);
  const auto offset = member_offset(decoder, pointer->pointee, words[3], pointer->layout);
  if (stride == 0) {
    return decoder.malformed(statement, "the array's elements have no size");
  }
  const Ref length = decoder.new_row(Element::int32);
  decoder.builder().emit({.handler = array_length_handler(address_mode(*pointer)),
                          .dst = length,
                          .a = pointer->offset,
                          .imm = saturate(offset),
                          .aux = pointer->root,
                          .extra = saturate(stride)});
  decoder.set_value(statement.result_id, {statement.type_id, {length}, {}});
  return {};
}

Expected<Ref> pointer_bits(Decoder& decoder, const spirv::Statement& statement, std::uint32_t id) {
  auto value = decoder.value(id);
  if (!value) {
    return tl::unexpected<Error>(std::move(value.error()));
  }
  return value->pointer ? decoder.fat_pointer(*value->pointer, statement) : Expected<Ref>(value->leaves.at(0));
}

// OpPtrEqual, OpPtrNotEqual, OpPtrDiff.
Expected<void> decode_pointer_comparison(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  const auto a = pointer_bits(decoder, statement, words[2]);
  const auto b = pointer_bits(decoder, statement, words[3]);
  if (!a || !b) {
    return tl::unexpected<Error>(a ? b.error() : a.error());
  }
  Ref result;
  if (statement.opcode == Op::OpPtrDiff) {
    auto pointer = decoder.pointer(words[2]);
    if (!pointer) {
      return failed(pointer.error());
    }
    const auto described = decoder.module().tables.decoration(decoder.type_of(words[2]), spv::Decoration::ArrayStride);
    const std::uint64_t stride = described ? *described : size_of(decoder, pointer->pointee, pointer->layout);
    const Ref bytes = decoder.apply(integer_handler(Op::OpISub, Element::int64), Element::int64, *a, *b);
    const Ref elements = decoder.apply(integer_handler(Op::OpSDiv, Element::int64), Element::int64, bytes,
                                       decoder.constant_row(Element::int64, stride));
    const auto to = decoder.element(statement.type_id);
    result =
        to == Element::int64 ? elements : decoder.apply(convert_handler(Element::int64, true, to, true), to, elements);
  } else {
    result = decoder.apply(comparison_handler(statement.opcode, Element::int64), Element::boolean, *a, *b);
  }
  decoder.set_value(statement.result_id, {statement.type_id, {result}, {}});
  return {};
}

// OpConvertPtrToU, OpConvertUToPtr, and OpBitcast where pointers take part.
Expected<void> decode_pointer_conversion(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto value = decoder.value(words[2]);
  if (!value) {
    return failed(value.error());
  }
  const auto element = decoder.element(value->type);
  auto leaves = value->leaves;
  if (value->pointer) {
    const auto bits = decoder.fat_pointer(*value->pointer, statement);
    if (!bits) {
      return tl::unexpected<Error>(bits.error());
    }
    leaves = {*bits};
  }
  const auto to = decoder.element(statement.type_id);
  const auto from = value->pointer ? Element::int64 : element;
  if (leaves.size() == 2 && bytes_of(from) == 4 && bytes_of(to) == 8) {
    return decode_bitcast(decoder, statement);
  }
  if (leaves.size() != 1 || is_float(from) || is_float(to)) {
    return decoder.refuse(statement, "this conversion of a pointer");
  }
  const Ref bits = bytes_of(from) == bytes_of(to)
                       ? leaves[0]
                       : decoder.apply(convert_handler(from, false, to, false), to, leaves[0]);
  decoder.set_value(statement.result_id, {statement.type_id, {bits}, {}});
  return {};
}

}  // namespace crosslane::machine
