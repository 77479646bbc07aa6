// What a register row holds per lane.
#pragma once

#include <cstdint>

namespace crosslane::machine {

/// Integers have no sign here: instructions do. Booleans are 32-bit words, 0 or 1.
enum class Element : std::uint8_t { boolean, int8, int16, int32, int64, float16, float32, float64 };

/// Bytes per lane.
constexpr std::uint32_t bytes_of(Element element) {
  switch (element) {
    case Element::int8:
      return 1;
    case Element::int16:
    case Element::float16:
      return 2;
    case Element::int64:
    case Element::float64:
      return 8;
    default:
      return 4;
  }
}

constexpr bool is_float(Element element) { return element >= Element::float16; }

}  // namespace crosslane::machine
