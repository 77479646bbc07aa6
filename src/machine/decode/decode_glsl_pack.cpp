// Several numbers in one word, and back.
#include <optional>
#include <utility>

#include <spirv/unified1/GLSL.std.450.h>

#include "machine/decode/families.hpp"
#include "machine/decode/glsl.hpp"
#include "machine/decode/row_bits.hpp"
#include "machine/decode/row_math.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {
namespace {

// Fixed-point numbers: `part` holds value × scale.
struct Fixed {
  Element part = Element::int8;
  bool is_signed = false;
  double scale = 1;
};

std::optional<Fixed> fixed_format(std::uint32_t instruction) {
  switch (instruction) {
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450UnpackSnorm4x8:
      return Fixed{Element::int8, true, 127};
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450UnpackUnorm4x8:
      return Fixed{Element::int8, false, 255};
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450UnpackSnorm2x16:
      return Fixed{Element::int16, true, 32767};
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450UnpackUnorm2x16:
      return Fixed{Element::int16, false, 65535};
    default:
      return std::nullopt;
  }
}

Ref to_fixed(Decoder& decoder, const Fixed& format, Ref number) {
  const RowMath math(decoder, Element::float32);
  const Ref inside = math.glsl(GLSLstd450NClamp, number, math.constant(format.is_signed ? -1 : 0), math.constant(1));
  const Ref scaled = math.glsl(GLSLstd450RoundEven, math.multiply(inside, math.constant(format.scale)));
  return decoder.apply(convert_handler(Element::float32, true, format.part, format.is_signed), format.part, scaled);
}

Ref from_fixed(Decoder& decoder, const Fixed& format, Ref bits) {
  const RowMath math(decoder, Element::float32);
  const Ref number =
      decoder.apply(convert_handler(format.part, format.is_signed, Element::float32, true), Element::float32, bits);
  const Ref scaled = math.divide(number, math.constant(format.scale));
  // The lowest signed number is below −1.
  return format.is_signed ? math.glsl(GLSLstd450FMax, scaled, math.constant(-1)) : scaled;
}

std::vector<Ref> pack(Decoder& decoder, std::uint32_t instruction, const std::vector<Ref>& numbers) {
  std::vector<Ref> parts;
  for (const auto number : numbers) {
    if (const auto format = fixed_format(instruction)) {
      parts.push_back(to_fixed(decoder, *format, number));
    } else {
      parts.push_back(convert_row(decoder, number, Element::float32, Element::float16));
    }
  }
  return regroup_bits(decoder, parts, 4 / static_cast<std::uint32_t>(parts.size()), 4);
}

std::vector<Ref> unpack(Decoder& decoder, std::uint32_t instruction, const std::vector<Ref>& word) {
  const auto format = fixed_format(instruction);
  std::vector<Ref> numbers = regroup_bits(decoder, word, 4, format ? bytes_of(format->part) : 2);
  for (auto& number : numbers) {
    number = format ? from_fixed(decoder, *format, number)
                    : convert_row(decoder, number, Element::float16, Element::float32);
  }
  return numbers;
}

}  // namespace

Expected<void> decode_glsl_pack(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction) {
  auto values = operand_values(decoder, statement, 4, 1);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const auto& rows = (*values)[0].leaves;
  Value result{statement.type_id, {}, {}};
  switch (instruction) {
    case GLSLstd450PackDouble2x32:
      result.leaves = regroup_bits(decoder, rows, 4, 8);
      break;
    case GLSLstd450UnpackDouble2x32:
      result.leaves = regroup_bits(decoder, rows, 8, 4);
      break;
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450PackHalf2x16:
      result.leaves = pack(decoder, instruction, rows);
      break;
    default:
      result.leaves = unpack(decoder, instruction, rows);
      break;
  }
  return set_result(decoder, statement, std::move(result));
}

}  // namespace crosslane::machine
