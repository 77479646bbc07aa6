// Arithmetic, comparisons, selections and conversions on scalars and vectors.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "machine/decode/decoder.hpp"
#include "machine/decode/families.hpp"
#include "machine/decode/row_bits.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

// Rows of `value` with the element `to`, zero-extended or cut: what shifts and bit fields take their amounts in.
Expected<Value> resized(Decoder& decoder, const Value& value, std::uint32_t like_type) {
  const auto from = decoder.element(value.type);
  const auto to = decoder.element(like_type);
  if (bytes_of(from) == bytes_of(to)) {
    return value;
  }
  Value result{like_type, {}, {}};
  for (const auto leaf : value.leaves) {
    result.leaves.push_back(decoder.apply(convert_handler(from, false, to, false), to, leaf));
  }
  return result;
}

// Repeats a scalar for every component of `type`.
void spread(Decoder& decoder, Value& value, std::uint32_t type) {
  if (value.leaves.size() == 1) {
    const auto elements = decoder.leaves(type);
    value.leaves.resize(elements ? elements->size() : 1, value.leaves[0]);
  }
}

PoisonRule integer_rule(Op opcode, Element element) {
  switch (opcode) {
    case Op::OpBitwiseAnd:
    case Op::OpLogicalAnd:
    case Op::OpIMul:
      return {.kind = PoisonKind::zero_absorbs, .element = element};
    case Op::OpBitwiseOr:
    case Op::OpLogicalOr:
      return {.kind = PoisonKind::ones_absorb, .element = element};
    case Op::OpShiftLeftLogical:
    case Op::OpShiftRightLogical:
    case Op::OpShiftRightArithmetic:
      return {.kind = PoisonKind::shift, .element = element};
    case Op::OpUDiv:
    case Op::OpUMod:
      return {.kind = PoisonKind::divide_unsigned, .element = element};
    case Op::OpSDiv:
      return {.kind = PoisonKind::divide_signed, .element = element};
    case Op::OpSRem:
    case Op::OpSMod:
      return {.kind = PoisonKind::remainder_signed, .element = element};
    default:
      return {};
  }
}

// True where a constant divisor or amount of a shift leaves nothing undefined.
bool is_harmless_constant(const Decoder& decoder, const spirv::Statement& statement, const PoisonRule& rule) {
  const auto operand = decoder.constant(decoder.module().operands(statement)[3]);
  if (!operand) {
    return false;
  }
  const auto bits = 8U * bytes_of(rule.element);
  const auto minus_one = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  switch (rule.kind) {
    case PoisonKind::shift:
      return *operand < bits;
    case PoisonKind::divide_unsigned:
      return *operand != 0;
    case PoisonKind::divide_signed:
      return *operand != 0 && *operand != minus_one;
    default:
      return false;
  }
}

}  // namespace

Expected<void> decode_nothing(Decoder& /*decoder*/, const spirv::Statement& /*statement*/) { return {}; }

Expected<std::vector<Value>> operand_values(Decoder& decoder, const spirv::Statement& statement, std::size_t first,
                                            std::size_t count) {
  const auto words = decoder.module().operands(statement);
  if (words.size() < first + count) {
    return decoder.malformed(statement, "operands are missing");
  }
  std::vector<Value> values;
  for (const auto id : words.subspan(first, count)) {
    auto value = decoder.value(id);
    if (!value) {
      return tl::unexpected<Error>(std::move(value.error()));
    }
    if (value->pointer && value->leaves.empty()) {
      return decoder.malformed(statement, "an operand is a pointer");
    }
    values.push_back(std::move(*value));
  }
  return values;
}

Expected<void> set_result(Decoder& decoder, const spirv::Statement& statement, Expected<Value> value) {
  if (!value) {
    return tl::unexpected<Error>(std::move(value.error()));
  }
  value->type = statement.type_id;
  decoder.set_value(statement.result_id, std::move(*value));
  return {};
}

Expected<void> decode_integer(Decoder& decoder, const spirv::Statement& statement) {
  const auto count = decoder.module().operands(statement).size() - 2;
  auto values = operand_values(decoder, statement, 2, count);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const auto base_type = (*values)[0].type;
  const auto handler = integer_handler(statement.opcode, decoder.element(base_type));
  if (handler == nullptr) {
    return decoder.refuse(statement, "it on this type");
  }
  for (auto& value : *values) {
    auto like = resized(decoder, value, base_type);
    if (!like) {
      return tl::unexpected<Error>(std::move(like.error()));
    }
    value = std::move(*like);
    spread(decoder, value, base_type);
  }
  auto rule = integer_rule(statement.opcode, decoder.element(base_type));
  if (count == 2 && is_harmless_constant(decoder, statement, rule)) {
    rule.kind = PoisonKind::any;
  }
  auto result = decoder.elementwise(handler, base_type, *values, rule);
  if (!result) {
    return tl::unexpected<Error>(std::move(result.error()));
  }
  // OpBitCount's result may be of another width than what it counts.
  return set_result(decoder, statement, resized(decoder, *result, statement.type_id));
}

// Instructions that return two numbers in a struct.
Expected<void> decode_extended_arithmetic(Decoder& decoder, const spirv::Statement& statement) {
  auto values = operand_values(decoder, statement, 2, 2);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const auto type = (*values)[0].type;
  const auto element = decoder.element(type);
  std::array<Handler, 2> handlers{};
  switch (statement.opcode) {
    case Op::OpIAddCarry:
      handlers = {integer_handler(Op::OpIAdd, element), integer_handler(IntegerOp::carry, element)};
      break;
    case Op::OpISubBorrow:
      handlers = {integer_handler(Op::OpISub, element), integer_handler(IntegerOp::borrow, element)};
      break;
    case Op::OpUMulExtended:
      handlers = {integer_handler(Op::OpIMul, element), integer_handler(IntegerOp::multiply_high_unsigned, element)};
      break;
    default:
      handlers = {integer_handler(Op::OpIMul, element), integer_handler(IntegerOp::multiply_high_signed, element)};
      break;
  }
  Value both{statement.type_id, {}, {}};
  for (const auto handler : handlers) {
    auto part = decoder.elementwise(handler, type, *values);
    if (!part) {
      return tl::unexpected<Error>(std::move(part.error()));
    }
    both.leaves.insert(both.leaves.end(), part->leaves.begin(), part->leaves.end());
  }
  return set_result(decoder, statement, std::move(both));
}

Expected<void> decode_comparison(Decoder& decoder, const spirv::Statement& statement) {
  const auto count = decoder.module().operands(statement).size() - 2;
  auto values = operand_values(decoder, statement, 2, count);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const auto handler = comparison_handler(statement.opcode, decoder.element((*values)[0].type));
  if (handler == nullptr) {
    return decoder.refuse(statement, "it on this type");
  }
  return set_result(decoder, statement, decoder.elementwise(handler, statement.type_id, *values));
}

Expected<void> decode_select(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto condition = decoder.value(words[2]);
  auto yes = decoder.value(words[3]);
  auto no = decoder.value(words[4]);
  if (!condition || !yes || !no) {
    return tl::unexpected<Error>(!condition ? condition.error() : !yes ? yes.error() : no.error());
  }
  for (auto* side : {&*yes, &*no}) {
    if (side->pointer) {
      const auto bits = decoder.fat_pointer(*side->pointer, statement);
      if (!bits) {
        return tl::unexpected<Error>(bits.error());
      }
      side->leaves = {*bits};
    }
  }
  const auto elements = decoder.leaves(statement.type_id);
  if (!elements) {
    return tl::unexpected<Error>(elements.error());
  }
  const bool one_kind = std::ranges::all_of(*elements, [&](Element one) { return one == elements->front(); });
  condition->leaves.resize(elements->size(), condition->leaves[0]);
  if (one_kind) {
    const std::array operands = {*condition, *yes, *no};
    return set_result(decoder, statement,
                      decoder.elementwise(select_handler(bytes_of(elements->front())), statement.type_id, operands,
                                          {.kind = PoisonKind::select}));
  }
  Value result{statement.type_id, {}, {}};
  for (std::size_t leaf = 0; leaf < elements->size(); ++leaf) {
    result.leaves.push_back(decoder.apply(select_handler(bytes_of((*elements)[leaf])), (*elements)[leaf],
                                          condition->leaves[leaf], yes->leaves[leaf], no->leaves[leaf], {},
                                          {.kind = PoisonKind::select}));
  }
  return set_result(decoder, statement, std::move(result));
}

Expected<void> decode_any_all(Decoder& decoder, const spirv::Statement& statement) {
  auto values = operand_values(decoder, statement, 2, 1);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const auto handler =
      integer_handler(statement.opcode == Op::OpAny ? Op::OpLogicalOr : Op::OpLogicalAnd, Element::boolean);
  const auto& leaves = (*values)[0].leaves;
  Ref result = leaves[0];
  for (std::size_t leaf = 1; leaf < leaves.size(); ++leaf) {
    result = decoder.apply(
        handler, Element::boolean, result, leaves[leaf], {}, {},
        integer_rule(statement.opcode == Op::OpAny ? Op::OpLogicalOr : Op::OpLogicalAnd, Element::boolean));
  }
  return set_result(decoder, statement, Value{statement.type_id, {result}, {}});
}

Expected<void> decode_float(Decoder& decoder, const spirv::Statement& statement) {
  const auto count = decoder.module().operands(statement).size() - 2;
  auto values = operand_values(decoder, statement, 2, count);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  return set_result(decoder, statement,
                    decoder.elementwise(float_handler(statement.opcode, decoder.element(statement.type_id)),
                                        statement.type_id, *values));
}

Expected<void> decode_conversion(Decoder& decoder, const spirv::Statement& statement) {
  auto values = operand_values(decoder, statement, 2, 1);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const auto from = decoder.element((*values)[0].type);
  const auto to = decoder.element(statement.type_id);
  const auto signed_from = statement.opcode == Op::OpSConvert || statement.opcode == Op::OpConvertSToF;
  const auto signed_to = statement.opcode == Op::OpSConvert || statement.opcode == Op::OpConvertFToS;
  const auto handler =
      statement.opcode == Op::OpQuantizeToF16 ? quantize_handler() : convert_handler(from, signed_from, to, signed_to);
  PoisonRule rule{.element = from, .result_bytes = bytes_of(to)};
  if (statement.opcode == Op::OpConvertFToU || statement.opcode == Op::OpConvertFToS) {
    rule.kind = signed_to ? PoisonKind::to_signed : PoisonKind::to_unsigned;
  }
  return set_result(decoder, statement, decoder.elementwise(handler, statement.type_id, *values, rule));
}

Expected<void> decode_bitcast(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto value = decoder.value(words[2]);
  if (!value) {
    return tl::unexpected<Error>(std::move(value.error()));
  }
  const bool pointers = decoder.type(value->type).opcode == Op::OpTypePointer ||
                        decoder.type(statement.type_id).opcode == Op::OpTypePointer;
  const auto from = decoder.element(value->type);
  const auto to = decoder.element(statement.type_id);
  if (pointers && !(value->leaves.size() == 2 && bytes_of(from) == 4)) {
    return decode_pointer_conversion(decoder, statement);
  }
  return set_result(decoder, statement,
                    Value{statement.type_id, regroup_bits(decoder, value->leaves, bytes_of(from), bytes_of(to)), {}});
}

}  // namespace crosslane::machine
