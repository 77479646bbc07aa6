// NumPy's element types: which are read, what the others are called, and how to mend a file that holds them.
#pragma once

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

/// A number, or one byte as bool, uint8 and int8 are.
struct NpyElementType {
  ScalarType type = ScalarType::u32;  ///< without meaning for bytes
  bool of_bytes = false;
};

/// The same for arrays of flags: bool and integers of 8 and 32 bits.
Expected<NpyElementType> flag_type_of_descr(const PythonLiteral& descr, const std::string& name);

/// The `descr` of a type in files that are written: "<f4" for f32.
std::string descr_of(ScalarType type);

/// The beginning of a text that may fill pages, for messages.
std::string abbreviated(std::string_view text);

}  // namespace crosslane::cli
