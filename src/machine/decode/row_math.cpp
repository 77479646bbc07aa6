#include "machine/decode/row_math.hpp"

#include <algorithm>
#include <bit>

#include "machine/glsl_handlers.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {

using spv::Op;

Ref convert_row(Decoder& decoder, Ref row, Element from, Element to) {
  return from == to ? row : decoder.apply(convert_handler(from, true, to, true), to, row);
}

Ref RowMath::constant(double value) const {
  return decoder_.constant_row(element_, element_ == Element::float64
                                             ? std::bit_cast<std::uint64_t>(value)
                                             : std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}

Ref RowMath::add(Ref a, Ref b) const { return decoder_.apply(float_handler(Op::OpFAdd, element_), element_, a, b); }

Ref RowMath::subtract(Ref a, Ref b) const {
  return decoder_.apply(float_handler(Op::OpFSub, element_), element_, a, b);
}

Ref RowMath::multiply(Ref a, Ref b) const {
  return decoder_.apply(float_handler(Op::OpFMul, element_), element_, a, b);
}

Ref RowMath::divide(Ref a, Ref b) const { return decoder_.apply(float_handler(Op::OpFDiv, element_), element_, a, b); }

Ref RowMath::negate(Ref a) const { return decoder_.apply(float_handler(Op::OpFNegate, element_), element_, a); }

Ref RowMath::glsl(std::uint32_t instruction, Ref a, Ref b, Ref c) const {
  return decoder_.apply(glsl_common_handler(instruction, element_), element_, a, b, c);
}

Ref RowMath::where_negative(Ref a, Ref b, Ref c) const {
  const Ref negative =
      decoder_.apply(comparison_handler(Op::OpFOrdLessThan, element_), Element::boolean, a, constant(0));
  return decoder_.apply(select_handler(bytes_of(element_)), element_, negative, b, c);
}

Ref RowMath::dot(std::span<const Ref> a, std::span<const Ref> b) const {
  Ref sum = multiply(a[0], b[0]);
  for (std::size_t i = 1; i < std::min(a.size(), b.size()); ++i) {
    sum = add(sum, multiply(a[i], b[i]));
  }
  return sum;
}

}  // namespace crosslane::machine
