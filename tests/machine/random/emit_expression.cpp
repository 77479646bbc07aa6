// Expressions in SPIR-V.
#include "machine/random/emit_expression.hpp"

#include <vector>

#include "machine/random/emit_wave_operation.hpp"
#include "machine/random/emit_words.hpp"

namespace crosslane::machine_tests {
namespace {

std::string binary(SpirvText& text, Binary operation, const std::string& a, std::string b) {
  switch (operation) {
    case Binary::add:
      return text.define("OpIAdd %uint {} {}", a, b);
    case Binary::subtract:
      return text.define("OpISub %uint {} {}", a, b);
    case Binary::multiply:
      return text.define("OpIMul %uint {} {}", a, b);
    case Binary::divide:
      b = text.define("OpBitwiseOr %uint {} {}", b, text.constant(1));
      return text.define("OpUDiv %uint {} {}", a, b);
    case Binary::remainder:
      b = text.define("OpBitwiseOr %uint {} {}", b, text.constant(1));
      return text.define("OpUMod %uint {} {}", a, b);
    case Binary::bit_and:
      return text.define("OpBitwiseAnd %uint {} {}", a, b);
    case Binary::bit_or:
      return text.define("OpBitwiseOr %uint {} {}", a, b);
    case Binary::bit_xor:
      return text.define("OpBitwiseXor %uint {} {}", a, b);
    case Binary::shift_left:
      b = low_bits(text, b, 31);
      return text.define("OpShiftLeftLogical %uint {} {}", a, b);
    case Binary::shift_right:
      b = low_bits(text, b, 31);
      return text.define("OpShiftRightLogical %uint {} {}", a, b);
    case Binary::less:
      return number_of(text, text.define("OpULessThan %bool {} {}", a, b));
    case Binary::less_signed:
      return number_of(text, text.define("OpSLessThan %bool {} {}", a, b));
    case Binary::equal:
      return number_of(text, text.define("OpIEqual %bool {} {}", a, b));
    case Binary::not_equal:
      return number_of(text, text.define("OpINotEqual %bool {} {}", a, b));
  }
  return a;
}

}  // namespace

std::string ExpressionEmitter::value(const Expression& expression) const {
  std::vector<std::string> operands;
  for (const auto& operand : expression.operands) {
    operands.push_back(value(operand));
  }
  switch (expression.kind) {
    case Expression::Kind::constant:
      return text_.constant(expression.number);
    case Expression::Kind::variable:
      return variables_.read(expression.number);
    case Expression::Kind::element: {
      const auto pointer = variables_.element(operands[0]);
      return text_.define("OpLoad %uint {}", pointer);
    }
    case Expression::Kind::input:
      return load_input(text_, expression.input);
    case Expression::Kind::binary:
      return binary(text_, expression.binary, operands[0], operands[1]);
    case Expression::Kind::select: {
      const auto condition = truth_of(text_, operands[0]);
      return text_.define("OpSelect %uint {} {} {}", condition, operands[1], operands[2]);
    }
    case Expression::Kind::wave:
      return emit_wave_operation(text_, portable_, expression, operands);
  }
  return {};
}

}  // namespace crosslane::machine_tests
