// A value seen as a matrix: vectors are matrices of one column.
#pragma once

#include <cstddef>
#include <vector>

#include "machine/decode/decoder.hpp"

namespace crosslane::machine {

struct MatrixView {
  std::vector<Ref> leaves;  ///< column by column
  std::size_t rows = 1;
  std::size_t columns = 1;

  [[nodiscard]] Ref at(std::size_t row, std::size_t column) const { return leaves[column * rows + row]; }
  [[nodiscard]] std::vector<Ref> row(std::size_t number) const {
    std::vector<Ref> refs;
    for (std::size_t column = 0; column < columns; ++column) {
      refs.push_back(at(number, column));
    }
    return refs;
  }
  [[nodiscard]] std::span<const Ref> column(std::size_t number) const {
    return std::span(leaves).subspan(number * rows, rows);
  }
};

MatrixView view_matrix(const Decoder& decoder, Value value);

}  // namespace crosslane::machine
