// The element types that the conformance run covers, and how small integers look as their bits.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "crosslane/device.hpp"

namespace crosslane::conformance {

enum class ElementKind : std::uint8_t { unsigned_integer, signed_integer, floating };

struct ElementType {
  std::string_view name;  ///< as in the shaders' names: "u32"
  ElementKind kind;
  std::uint32_t bits;

  [[nodiscard]] std::uint64_t mask() const { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }
};

inline constexpr std::array all_element_types = {
    ElementType{"u32", ElementKind::unsigned_integer, 32}, ElementType{"i32", ElementKind::signed_integer, 32},
    ElementType{"f32", ElementKind::floating, 32},         ElementType{"u64", ElementKind::unsigned_integer, 64},
    ElementType{"i64", ElementKind::signed_integer, 64},   ElementType{"f64", ElementKind::floating, 64},
    ElementType{"u16", ElementKind::unsigned_integer, 16}, ElementType{"i16", ElementKind::signed_integer, 16},
    ElementType{"f16", ElementKind::floating, 16}};

/// Whether the device has the type and wave operations on it.
bool has_type(const DeviceFeatures& features, const ElementType& type);

/// The bits of `value` in `type`. Integers wrap; for a float, `value` is an integer that it represents exactly.
std::uint64_t encode(const ElementType& type, std::int64_t value);

}  // namespace crosslane::conformance
