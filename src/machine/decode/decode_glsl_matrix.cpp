// Determinants and inverses, by cofactors. Matrices of halves are computed in 32 bits.
#include <utility>

#include <spirv/unified1/GLSL.std.450.h>

#include "machine/decode/families.hpp"
#include "machine/decode/glsl.hpp"
#include "machine/decode/matrix_view.hpp"
#include "machine/decode/row_math.hpp"

namespace crosslane::machine {
namespace {

// The matrix without a row and a column.
MatrixView without(const MatrixView& matrix, std::size_t omitted_row, std::size_t omitted_column) {
  MatrixView rest{{}, matrix.rows - 1, matrix.columns - 1};
  for (std::size_t column = 0; column < matrix.columns; ++column) {
    for (std::size_t row = 0; row < matrix.rows; ++row) {
      if (row != omitted_row && column != omitted_column) {
        rest.leaves.push_back(matrix.at(row, column));
      }
    }
  }
  return rest;
}

Ref determinant(const RowMath& math, const MatrixView& matrix) {
  if (matrix.rows == 1) {
    return matrix.leaves[0];
  }
  Ref sum;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    const Ref term = math.multiply(matrix.at(row, 0), determinant(math, without(matrix, row, 0)));
    sum = row == 0 ? term : row % 2 == 0 ? math.add(sum, term) : math.subtract(sum, term);
  }
  return sum;
}

std::vector<Ref> inverse(const RowMath& math, const MatrixView& matrix) {
  // The cofactors' matrix, transposed.
  std::vector<Ref> adjugate;
  for (std::size_t column = 0; column < matrix.columns; ++column) {
    for (std::size_t row = 0; row < matrix.rows; ++row) {
      const Ref cofactor = determinant(math, without(matrix, column, row));
      adjugate.push_back((row + column) % 2 == 0 ? cofactor : math.negate(cofactor));
    }
  }
  std::vector<Ref> first_row;
  for (std::size_t column = 0; column < matrix.columns; ++column) {
    first_row.push_back(adjugate[column * matrix.rows]);
  }
  const Ref whole = math.dot(matrix.column(0), first_row);
  for (auto& leaf : adjugate) {
    leaf = math.divide(leaf, whole);
  }
  return adjugate;
}

}  // namespace

Expected<void> decode_glsl_matrix(Decoder& decoder, const spirv::Statement& statement, std::uint32_t instruction) {
  auto values = operand_values(decoder, statement, 4, 1);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  auto matrix = view_matrix(decoder, std::move((*values)[0]));
  if (matrix.rows != matrix.columns) {
    return decoder.malformed(statement, "only square matrices have a determinant");
  }
  const auto element = decoder.element(statement.type_id);
  const RowMath math(decoder, working_element(element));
  for (auto& leaf : matrix.leaves) {
    leaf = convert_row(decoder, leaf, element, math.element());
  }
  Value result{statement.type_id, {}, {}};
  result.leaves =
      instruction == GLSLstd450Determinant ? std::vector<Ref>{determinant(math, matrix)} : inverse(math, matrix);
  for (auto& leaf : result.leaves) {
    leaf = convert_row(decoder, leaf, math.element(), element);
  }
  return set_result(decoder, statement, std::move(result));
}

}  // namespace crosslane::machine
