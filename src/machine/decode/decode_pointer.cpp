// Pointers as values: comparisons, differences and conversions.
#include <utility>

#include "machine/decode/decoder.hpp"
#include "machine/decode/families.hpp"
#include "machine/decode/layout.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

Expected<Ref> pointer_bits(Decoder& decoder, const spirv::Statement& statement, std::uint32_t id) {
  auto value = decoder.value(id);
  if (!value) {
    return tl::unexpected<Error>(std::move(value.error()));
  }
  return value->pointer ? decoder.fat_pointer(*value->pointer, statement) : Expected<Ref>(value->leaves.at(0));
}

}  // namespace

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
