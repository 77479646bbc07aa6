// Python's literals as they stand in headers of .npy files: strings, words, tuples, lists, dictionaries.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace crosslane::cli {

/// A literal and what it holds. The views point into the text that was parsed.
struct PythonLiteral {
  enum class Kind : std::uint8_t {
    string,
    word,  ///< a number or a name: 42, 3L, True
    tuple,
    list,
    dictionary,
  };
  Kind kind = Kind::word;
  std::string_view source = {};           ///< the whole literal as it is written
  std::string_view text = {};             ///< of a word itself, of a string what lies between the quotes, escapes kept
  std::vector<PythonLiteral> items = {};  ///< of tuples and lists; of dictionaries keys and values in turn
};

/// The one literal that `text` consists of. Nothing where it is none, is nested deeper than types of elements are, or
/// is written as NumPy does not write: with comments, tripled quotes, or strings side by side.
std::optional<PythonLiteral> parse_python_literal(std::string_view text);

}  // namespace crosslane::cli
