// Access chains: pointers into parts of what a pointer points to, and the length of runtime arrays.
#include <utility>

#include "machine/decode/access.hpp"
#include "machine/decode/decoder.hpp"
#include "machine/decode/families.hpp"
#include "machine/decode/layout.hpp"
#include "machine/handlers.hpp"
#include "machine/memory.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

// Adds `index` × `stride` to the pointer's offset. Of an array, `count` is how many elements it has, 0 where it does
// not say.
Expected<void> advance(Decoder& decoder, const spirv::Statement& statement, Pointer& pointer, std::uint32_t index_id,
                       std::uint64_t stride, std::uint64_t count = 0) {
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
  decoder.follow({.handler = count == 0 ? poison_handler({}) : poison_index_handler(),
                  .dst = moved,
                  .a = pointer.offset,
                  .b = *index,
                  .imm = saturate(count)});
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
  decoder.follow({}, bits, *index);
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
      const auto count = decoder.element_count(pointer.pointee);
      pointer.pointee = type.operands[0];
      return advance(decoder, statement, pointer, index_id, stride, count);
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
  decoder.follow_fill(length, 1, 4);
  decoder.builder().emit({.handler = array_length_handler(address_mode(*pointer)),
                          .dst = length,
                          .a = pointer->offset,
                          .imm = saturate(offset),
                          .aux = pointer->root,
                          .extra = saturate(stride)});
  decoder.set_value(statement.result_id, {statement.type_id, {length}, {}});
  return {};
}

}  // namespace crosslane::machine
