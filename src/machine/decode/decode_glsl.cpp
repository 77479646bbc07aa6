#include <string>
#include <utility>

#include <fmt/format.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "machine/decode/families.hpp"
#include "machine/decode/glsl.hpp"
#include "machine/glsl_handlers.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {
namespace {

Handler integer_operation(std::uint32_t instruction, Element element) {
  switch (instruction) {
    case GLSLstd450SAbs:
      return integer_handler(IntegerOp::absolute, element);
    case GLSLstd450SSign:
      return integer_handler(IntegerOp::sign, element);
    case GLSLstd450UMin:
      return integer_handler(IntegerOp::minimum_unsigned, element);
    case GLSLstd450SMin:
      return integer_handler(IntegerOp::minimum_signed, element);
    case GLSLstd450UMax:
      return integer_handler(IntegerOp::maximum_unsigned, element);
    case GLSLstd450SMax:
      return integer_handler(IntegerOp::maximum_signed, element);
    case GLSLstd450UClamp:
      return integer_handler(IntegerOp::clamp_unsigned, element);
    case GLSLstd450SClamp:
      return integer_handler(IntegerOp::clamp_signed, element);
    case GLSLstd450FindILsb:
      return integer_handler(IntegerOp::lowest_bit, element);
    case GLSLstd450FindSMsb:
      return integer_handler(IntegerOp::highest_bit_signed, element);
    case GLSLstd450FindUMsb:
      return integer_handler(IntegerOp::highest_bit_unsigned, element);
    default:
      return nullptr;
  }
}

// Instructions that are one operation on every component.
Handler one_operation(std::uint32_t instruction, Element element) {
  if (!is_float(element)) {
    return integer_operation(instruction, element);
  }
  if (instruction == GLSLstd450Fma) {
    return fma_handler(element);
  }
  const auto common = glsl_common_handler(instruction, element);
  return common != nullptr ? common : glsl_transcendental_handler(instruction, element);
}

// What is refused, by name where fragment shaders have it.
std::string name_of(std::uint32_t instruction) {
  switch (instruction) {
    case GLSLstd450InterpolateAtCentroid:
      return "InterpolateAtCentroid";
    case GLSLstd450InterpolateAtSample:
      return "InterpolateAtSample";
    case GLSLstd450InterpolateAtOffset:
      return "InterpolateAtOffset";
    default:
      return fmt::format("the instruction {}", instruction);
  }
}

}  // namespace

Expected<void> decode_glsl(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction) {
  switch (instruction) {
    case GLSLstd450Modf:
    case GLSLstd450ModfStruct:
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct:
    case GLSLstd450Ldexp:
      return decode_glsl_parts(decoder, statement, instruction);
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450PackHalf2x16:
    case GLSLstd450PackDouble2x32:
    case GLSLstd450UnpackSnorm2x16:
    case GLSLstd450UnpackUnorm2x16:
    case GLSLstd450UnpackHalf2x16:
    case GLSLstd450UnpackSnorm4x8:
    case GLSLstd450UnpackUnorm4x8:
    case GLSLstd450UnpackDouble2x32:
      return decode_glsl_pack(decoder, statement, instruction);
    case GLSLstd450Length:
    case GLSLstd450Distance:
    case GLSLstd450Cross:
    case GLSLstd450Normalize:
    case GLSLstd450FaceForward:
    case GLSLstd450Reflect:
    case GLSLstd450Refract:
      return decode_glsl_geometry(decoder, statement, instruction);
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse:
      return decode_glsl_matrix(decoder, statement, instruction);
    default:
      break;
  }
  const auto handler = one_operation(instruction, decoder.element(statement.type_id));
  if (handler == nullptr) {
    return decoder.refuse(statement, name_of(instruction) + " of GLSL.std.450");
  }
  auto values = operand_values(decoder, statement, 4, decoder.module().operands(statement).size() - 4);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  return set_result(decoder, statement, decoder.elementwise(handler, statement.type_id, *values));
}

}  // namespace crosslane::machine
