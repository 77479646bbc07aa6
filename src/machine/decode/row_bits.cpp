#include "machine/decode/row_bits.hpp"

#include "machine/handlers.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

Ref join(Decoder& decoder, std::span<const Ref> parts, Element narrow, Element wide) {
  Ref joined;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    Ref bits = decoder.apply(convert_handler(narrow, false, wide, false), wide, parts[part]);
    if (part != 0) {
      bits = decoder.apply(integer_handler(Op::OpShiftLeftLogical, wide), wide, bits,
                           decoder.constant_row(wide, std::uint64_t{8} * bytes_of(narrow) * part));
      bits = decoder.apply(integer_handler(Op::OpBitwiseOr, wide), wide, joined, bits);
    }
    joined = bits;
  }
  return joined;
}

Ref part_of(Decoder& decoder, Ref row, std::uint32_t part, Element wide, Element narrow) {
  if (part != 0) {
    row = decoder.apply(integer_handler(Op::OpShiftRightLogical, wide), wide, row,
                        decoder.constant_row(wide, std::uint64_t{8} * bytes_of(narrow) * part));
  }
  return decoder.apply(convert_handler(wide, false, narrow, false), narrow, row);
}

}  // namespace

Element integer_of(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return Element::int8;
    case 2:
      return Element::int16;
    case 4:
      return Element::int32;
    default:
      return Element::int64;
  }
}

std::vector<Ref> regroup_bits(Decoder& decoder, std::span<const Ref> rows, std::uint32_t from_bytes,
                              std::uint32_t to_bytes) {
  std::vector<Ref> result;
  if (from_bytes == to_bytes) {
    result.assign(rows.begin(), rows.end());
  } else if (from_bytes < to_bytes) {
    const auto parts = to_bytes / from_bytes;
    for (; rows.size() >= parts; rows = rows.subspan(parts)) {
      result.push_back(join(decoder, rows.first(parts), integer_of(from_bytes), integer_of(to_bytes)));
    }
  } else {
    for (const auto row : rows) {
      for (std::uint32_t part = 0; part < from_bytes / to_bytes; ++part) {
        result.push_back(part_of(decoder, row, part, integer_of(from_bytes), integer_of(to_bytes)));
      }
    }
  }
  return result;
}

}  // namespace crosslane::machine
