// Numbers taken apart: Modf, Frexp and, the other way, Ldexp.
#include <utility>

#include <spirv/unified1/GLSL.std.450.h>

#include "machine/decode/access.hpp"
#include "machine/decode/families.hpp"
#include "machine/decode/glsl.hpp"
#include "machine/decode/row_math.hpp"
#include "machine/glsl_handlers.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {
namespace {

// An exponent of any width in 32 bits; beyond some thousands they are all alike.
Ref exponent_row(Decoder& decoder, Ref row, Element element) {
  if (element == Element::int64) {
    constexpr std::uint64_t far = std::uint64_t{1} << 20U;
    row = decoder.apply(integer_handler(IntegerOp::clamp_signed, element), element, row,
                        decoder.constant_row(element, ~far + 1), decoder.constant_row(element, far));
  }
  return convert_row(decoder, row, element, Element::int32);
}

Expected<void> decode_ldexp(Decoder& decoder, const spirv::Statement& statement) {
  auto values = operand_values(decoder, statement, 4, 2);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const auto& numbers = (*values)[0];
  const auto& exponents = (*values)[1];
  if (numbers.leaves.size() != exponents.leaves.size()) {
    return decoder.malformed(statement, "it has not as many exponents as numbers");
  }
  const auto element = decoder.element(statement.type_id);
  Value result{statement.type_id, {}, {}};
  for (std::size_t leaf = 0; leaf < numbers.leaves.size(); ++leaf) {
    const Ref exponent = exponent_row(decoder, exponents.leaves[leaf], decoder.element(exponents.type));
    result.leaves.push_back(
        decoder.apply(glsl_common_handler(GLSLstd450Ldexp, element), element, numbers.leaves[leaf], exponent));
  }
  return set_result(decoder, statement, std::move(result));
}

}  // namespace

Expected<void> decode_glsl_parts(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction) {
  if (instruction == GLSLstd450Ldexp) {
    return decode_ldexp(decoder, statement);
  }
  auto numbers = operand_values(decoder, statement, 4, 1);
  if (!numbers) {
    return tl::unexpected<Error>(std::move(numbers.error()));
  }
  const bool modf = instruction == GLSLstd450Modf || instruction == GLSLstd450ModfStruct;
  const bool in_struct = instruction == GLSLstd450ModfStruct || instruction == GLSLstd450FrexpStruct;
  const auto& result_type = decoder.type(statement.type_id);
  const auto words = decoder.module().operands(statement);
  if (in_struct ? result_type.operands.size() != 2 : words.size() < 6) {
    return decoder.malformed(statement, "there is no place for its second result");
  }
  // The second result: the whole number, or the exponent.
  Pointer place;
  if (!in_struct) {
    auto pointer = decoder.pointer(words[5]);
    if (!pointer) {
      return tl::unexpected<Error>(std::move(pointer.error()));
    }
    place = *pointer;
  }
  const auto second_type = in_struct ? result_type.operands[1] : place.pointee;
  const auto element = decoder.element((*numbers)[0].type);
  Value first{statement.type_id, {}, {}};
  Value second{second_type, {}, {}};
  for (const auto leaf : (*numbers)[0].leaves) {
    const auto part = modf ? GLSLstd450Modf : GLSLstd450Frexp;
    first.leaves.push_back(decoder.apply(glsl_common_handler(part, element), element, leaf));
    const Ref other = modf ? decoder.apply(glsl_common_handler(GLSLstd450Trunc, element), element, leaf)
                           : convert_row(decoder, decoder.apply(exponent_handler(element), Element::int32, leaf),
                                         Element::int32, decoder.element(second_type));
    second.leaves.push_back(other);
  }
  if (in_struct) {
    first.leaves.insert(first.leaves.end(), second.leaves.begin(), second.leaves.end());
  } else if (auto stored = store(decoder, statement, place, second); !stored) {
    return stored;
  }
  return set_result(decoder, statement, std::move(first));
}

}  // namespace crosslane::machine
