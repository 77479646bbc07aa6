// The element types that the algorithms work on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace crosslane {

/// Element type of an array; the names are those of kernels and of the command line.
enum class ScalarType : std::uint8_t { u32, i32, f32, u64, i64, f64 };

inline constexpr std::array all_scalar_types = {ScalarType::u32, ScalarType::i32, ScalarType::f32,
                                                ScalarType::u64, ScalarType::i64, ScalarType::f64};

/// "u32", "i32", "f32", "u64", "i64" or "f64".
constexpr std::string_view name(ScalarType type) {
  constexpr std::array<std::string_view, 6> names = {"u32", "i32", "f32", "u64", "i64", "f64"};
  return names[static_cast<std::size_t>(type)];
}

/// Size of one element in bytes: 4 or 8.
constexpr std::uint64_t size_of(ScalarType type) { return type <= ScalarType::f32 ? 4 : 8; }

constexpr bool is_float(ScalarType type) { return type == ScalarType::f32 || type == ScalarType::f64; }

/// The ScalarType of a C++ type: `scalar_type_of<float> == ScalarType::f32`.
template <typename T>
inline constexpr ScalarType scalar_type_of = [] { static_assert(sizeof(T) == 0, "not an element type"); }();
template <>
inline constexpr ScalarType scalar_type_of<std::uint32_t> = ScalarType::u32;
template <>
inline constexpr ScalarType scalar_type_of<std::int32_t> = ScalarType::i32;
template <>
inline constexpr ScalarType scalar_type_of<float> = ScalarType::f32;
template <>
inline constexpr ScalarType scalar_type_of<std::uint64_t> = ScalarType::u64;
template <>
inline constexpr ScalarType scalar_type_of<std::int64_t> = ScalarType::i64;
template <>
inline constexpr ScalarType scalar_type_of<double> = ScalarType::f64;

}  // namespace crosslane
