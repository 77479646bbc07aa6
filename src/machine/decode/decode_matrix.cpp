// Products of vectors and matrices, as multiplications and additions of rows: each is rounded on its own, sums go from
// the first component on.
#include <utility>

#include "machine/decode/decoder.hpp"
#include "machine/decode/families.hpp"
#include "machine/decode/matrix_view.hpp"
#include "machine/decode/row_math.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {

using spv::Op;

MatrixView view_matrix(const Decoder& decoder, Value value) {
  const auto& type = decoder.type(value.type);
  MatrixView matrix{std::move(value.leaves), 1, 1};
  if (type.opcode == Op::OpTypeMatrix) {
    matrix.columns = type.count;
    matrix.rows = matrix.leaves.size() / matrix.columns;
  } else {
    matrix.rows = matrix.leaves.size();
  }
  return matrix;
}

// OpVectorTimesScalar, OpMatrixTimesScalar.
Expected<void> decode_scaled(Decoder& decoder, const spirv::Statement& statement) {
  auto values = operand_values(decoder, statement, 2, 2);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  auto& scalar = (*values)[1];
  scalar.leaves.resize((*values)[0].leaves.size(), scalar.leaves[0]);
  return set_result(
      decoder, statement,
      decoder.elementwise(float_handler(Op::OpFMul, decoder.element(statement.type_id)), statement.type_id, *values));
}

Expected<void> decode_dot(Decoder& decoder, const spirv::Statement& statement) {
  auto values = operand_values(decoder, statement, 2, 2);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const RowMath math(decoder, decoder.element(statement.type_id));
  const Ref sum = math.dot((*values)[0].leaves, (*values)[1].leaves);
  return set_result(decoder, statement, Value{statement.type_id, {sum}, {}});
}

// OpMatrixTimesVector, OpVectorTimesMatrix, OpMatrixTimesMatrix.
Expected<void> decode_matrix_product(Decoder& decoder, const spirv::Statement& statement) {
  auto values = operand_values(decoder, statement, 2, 2);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  auto left = view_matrix(decoder, std::move((*values)[0]));
  const auto right = view_matrix(decoder, std::move((*values)[1]));
  if (statement.opcode == Op::OpVectorTimesMatrix) {
    std::swap(left.rows, left.columns);  // the vector is a row
  }
  if (left.columns != right.rows) {
    return decoder.malformed(statement, "the operands' sizes do not go together");
  }
  const RowMath math(decoder, decoder.element(statement.type_id));
  Value product{statement.type_id, {}, {}};
  for (std::size_t column = 0; column < right.columns; ++column) {
    for (std::size_t row = 0; row < left.rows; ++row) {
      product.leaves.push_back(math.dot(left.row(row), right.column(column)));
    }
  }
  return set_result(decoder, statement, std::move(product));
}

Expected<void> decode_outer_product(Decoder& decoder, const spirv::Statement& statement) {
  auto values = operand_values(decoder, statement, 2, 2);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const RowMath math(decoder, decoder.element(statement.type_id));
  Value product{statement.type_id, {}, {}};
  for (const auto column : (*values)[1].leaves) {
    for (const auto row : (*values)[0].leaves) {
      product.leaves.push_back(math.multiply(row, column));
    }
  }
  return set_result(decoder, statement, std::move(product));
}

Expected<void> decode_transpose(Decoder& decoder, const spirv::Statement& statement) {
  auto values = operand_values(decoder, statement, 2, 1);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const auto matrix = view_matrix(decoder, std::move((*values)[0]));
  Value transposed{statement.type_id, {}, {}};
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      transposed.leaves.push_back(matrix.at(row, column));
    }
  }
  return set_result(decoder, statement, std::move(transposed));
}

}  // namespace crosslane::machine
