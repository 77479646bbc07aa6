// NumPy's element types: which are read, what the others are called, and how to mend a file that holds them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/python_literal.hpp"
#include "crosslane/error.hpp"
#include "crosslane/scalar_type.hpp"

namespace crosslane::cli {

/// The element type behind the `descr` entry of an .npy header: '<f4' is f32, and so are its other spellings '|f4',
/// '=f4', 'f4' and 'float32'. Errors: `unsupported` with the type's NumPy name and the mend. `name` is the file's name
/// in messages.
Expected<ScalarType> scalar_type_of_descr(const PythonLiteral& descr, const std::string& name);

/// What a channel of an image may be.
enum class NpyChannel : std::uint8_t { u8, u16, f16, f32 };

constexpr std::uint64_t size_of(NpyChannel channel) {
  return channel == NpyChannel::u8 ? 1 : channel == NpyChannel::f32 ? 4 : 2;
}

/// A number, a complex one, one byte as bool, uint8 and int8 are, or a channel of an image.
struct NpyElementType {
  ScalarType type = ScalarType::u32;  ///< without meaning for bytes
  bool of_bytes = false;
  bool is_complex = false;                 ///< of two parts of the type
  std::optional<NpyChannel> channel = {};  ///< the type has no meaning then
};

/// The same for arrays of flags: bool and integers of 8 and 32 bits.
Expected<NpyElementType> flag_type_of_descr(const PythonLiteral& descr, const std::string& name);

/// The same for images: uint8, uint16, float16 and float32.
Expected<NpyElementType> channel_type_of_descr(const PythonLiteral& descr, const std::string& name);

/// The same for float16 alone, in which --halves takes the parts of complex numbers.
Expected<NpyElementType> half_type_of_descr(const PythonLiteral& descr, const std::string& name);

/// The type of the parts of complex numbers: f32 for complex64, f64 for complex128; nothing for every other `descr`.
std::optional<ScalarType> part_type_of_descr(const PythonLiteral& descr);

std::string_view name(NpyChannel channel);
std::string descr_of(NpyChannel channel);

/// The `descr` of a type in files that are written: "<f4" for f32.
std::string descr_of(ScalarType type);

/// The same for complex numbers with parts of a type, f32 or f64: "<c8".
std::string complex_descr_of(ScalarType type);

/// The beginning of a text that may fill pages, for messages.
std::string abbreviated(std::string_view text);

}  // namespace crosslane::cli
