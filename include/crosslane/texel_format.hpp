// How the bytes of a typed buffer (HLSL's Buffer and RWBuffer) become the numbers that a shader sees.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace crosslane {

/// One channel of a texel. Normalised ones hold 0 to 1 or −1 to 1 and read as floats.
enum class TexelType : std::uint8_t {
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  u64,
  i64,
  f16,
  f32,
  unorm8,
  snorm8,
  unorm16,
  snorm16
};

/// "u8", "i8", …, "snorm16".
constexpr std::string_view name(TexelType type) {
  constexpr std::array<std::string_view, 14> names = {"u8",  "i8",  "u16", "i16",    "u32",    "i32",     "u64",
                                                      "i64", "f16", "f32", "unorm8", "snorm8", "unorm16", "snorm16"};
  return names[static_cast<std::size_t>(type)];
}

/// Bytes of one channel: 1, 2, 4 or 8.
constexpr std::uint32_t size_of(TexelType type) {
  constexpr std::array<std::uint32_t, 14> sizes = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 1, 1, 2, 2};
  return sizes[static_cast<std::size_t>(type)];
}

struct TexelFormat {
  TexelType type = TexelType::u32;
  std::uint32_t channels = 1;  ///< 1 to 4
  friend bool operator==(const TexelFormat&, const TexelFormat&) = default;
};

/// Bytes of one texel.
constexpr std::uint32_t size_of(TexelFormat format) { return size_of(format.type) * format.channels; }

}  // namespace crosslane
