#include <array>
#include <utility>

#include <fmt/format.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "machine/decode/families.hpp"
#include "machine/decode/glsl.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {
namespace {

// Instructions that are one operation on every component.
Handler one_operation(std::uint32_t instruction, Element element) {
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
    case GLSLstd450Fma:
      return fma_handler(element);
    default:
      return nullptr;
  }
}

}  // namespace

Expected<void> decode_glsl(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction) {
  const auto count = decoder.module().operands(statement).size() - 4;
  auto values = operand_values(decoder, statement, 4, count);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const auto handler = one_operation(instruction, decoder.element(statement.type_id));
  if (handler == nullptr) {
    return decoder.refuse(statement, fmt::format("the instruction {} of GLSL.std.450", instruction));
  }
  return set_result(decoder, statement, decoder.elementwise(handler, statement.type_id, *values));
}

}  // namespace crosslane::machine
