// The formats in which a job writes numbers: their sizes, their text, and their bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "crosslane/error.hpp"
#include "crosslane/texel_format.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::job {

/// Bool takes 4 bytes, as HLSL's bool does in buffers. Float16 is written as bits, 0x3c00 for 1.
enum class Format : std::uint8_t {
  hex8,
  hex16,
  hex32,
  hex64,
  uint8,
  uint16,
  uint32,
  uint64,
  int8,
  int16,
  int32,
  int64,
  float16,
  float32,
  float64,
  depth32,
  boolean,
};

inline constexpr std::size_t format_count = 17;

/// "Hex8", …, "Float64", "Depth32", "Bool".
std::string_view name(Format format);

/// The format of that name; nothing where there is none.
std::optional<Format> format_of(std::string_view name);

/// The format of a shader's numbers: "Float32" for 32-bit floats.
Format format_of(const spirv::ScalarInfo& type);

/// Bytes of one number: 1, 2, 4 or 8.
std::uint32_t size_of(Format format);

constexpr bool is_float(Format format) {
  return format == Format::float16 || format == Format::float32 || format == Format::float64 ||
         format == Format::depth32;
}

/// The bits of a number written as text: integers in decimal or with 0x, 0o, 0b; floats in decimal or hexadecimal, nan,
/// inf; Bool also as true and false. Errors: `invalid_input`, saying what is wrong with the text.
Expected<std::uint64_t> parse_number(std::string_view text, Format format);

/// The bits of the first number in `bytes`, which holds at least size_of(format) bytes.
std::uint64_t bits_of(std::span<const std::byte> bytes, Format format);

/// The value of a float format; exact.
double float_value(std::uint64_t bits, Format format);

/// For people: floats as the shortest text that reads back (16-bit ones and NaN with their bits), Hex with 0x.
std::string number_text(std::uint64_t bits, Format format);

/// What a typed buffer of such numbers is shown as; nothing for formats that texels do not have.
std::optional<TexelFormat> texel_format(Format format, std::uint32_t channels);

}  // namespace crosslane::job
