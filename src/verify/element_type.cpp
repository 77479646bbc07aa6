#include "verify/element_type.hpp"

#include <bit>
#include <cstdlib>

namespace crosslane::conformance {
namespace {

/// The bits of a half that is an integer of at most 11 significant bits below 2^16.
std::uint64_t encode_half(std::int64_t value) {
  if (value == 0) {
    return 0;
  }
  const std::uint64_t sign = value < 0 ? 0x8000U : 0U;
  auto significand = static_cast<std::uint64_t>(std::abs(value)) << 10U;
  std::uint64_t exponent = 15;  // the bias
  while (significand >= 0x800U) {
    significand >>= 1U;
    ++exponent;
  }
  return sign | (exponent << 10U) | (significand & 0x3FFU);
}

}  // namespace

bool has_type(const DeviceFeatures& features, const ElementType& type) {
  const bool is_float = type.kind == ElementKind::floating;
  switch (type.bits) {
    case 16:  // The shaders handle the bits of a half as a 16-bit integer.
      return features.wave_extended_types && features.int16 && (!is_float || features.float16);
    case 64:
      return is_float ? features.float64 : features.wave_extended_types && features.int64;
    default:
      return true;
  }
}

std::uint64_t encode(const ElementType& type, std::int64_t value) {
  if (type.kind != ElementKind::floating) {
    return static_cast<std::uint64_t>(value) & type.mask();
  }
  switch (type.bits) {
    case 16:
      return encode_half(value);
    case 32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    default:
      return std::bit_cast<std::uint64_t>(static_cast<double>(value));
  }
}

}  // namespace crosslane::conformance
