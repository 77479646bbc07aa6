// Float arithmetic on whole rows, for instructions that are several operations. Each operation rounds on its own.
#pragma once

#include <span>

#include "machine/decode/decoder.hpp"

namespace crosslane::machine {

/// What numbers of the element are computed in where single operations would round too often: halves in 32 bits.
constexpr Element working_element(Element element) { return element == Element::float16 ? Element::float32 : element; }

/// The row's numbers in another element; integers are signed.
Ref convert_row(Decoder& decoder, Ref row, Element from, Element to);

class RowMath {
 public:
  RowMath(Decoder& decoder, Element element) : decoder_(decoder), element_(element) {}

  [[nodiscard]] Element element() const { return element_; }
  /// A row of that number; of 32- and 64-bit floats.
  [[nodiscard]] Ref constant(double value) const;
  [[nodiscard]] Ref add(Ref a, Ref b) const;
  [[nodiscard]] Ref subtract(Ref a, Ref b) const;
  [[nodiscard]] Ref multiply(Ref a, Ref b) const;
  [[nodiscard]] Ref divide(Ref a, Ref b) const;
  [[nodiscard]] Ref negate(Ref a) const;
  /// An instruction of GLSL.std.450 that is one operation.
  [[nodiscard]] Ref glsl(std::uint32_t instruction, Ref a, Ref b = {}, Ref c = {}) const;
  /// a < 0 ? b : c.
  [[nodiscard]] Ref where_negative(Ref a, Ref b, Ref c) const;
  /// a[0] × b[0] + a[1] × b[1] + …, from the first on.
  [[nodiscard]] Ref dot(std::span<const Ref> a, std::span<const Ref> b) const;

 private:
  Decoder& decoder_;
  Element element_;
};

}  // namespace crosslane::machine
