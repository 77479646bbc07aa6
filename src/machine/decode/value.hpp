// What an id stands for while a program is made.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "machine/decode/builder.hpp"
#include "machine/element.hpp"

namespace crosslane::machine {

/// How memory of a type is laid out.
enum class Layout : std::uint8_t {
  described,  ///< by the module's decorations, in bytes
  packed,     ///< one after the other, aligned to the scalar's size, in bytes
  leaves,     ///< variables of functions: every scalar counts 1
};

/// Matrices take their layout from the struct member that holds them.
struct MatrixLayout {
  std::uint32_t stride = 0;  ///< bytes; 0: described by nothing
  bool by_rows = false;
};

enum class PointerKind : std::uint8_t {
  rooted,    ///< a root and an offset
  fat,       ///< 64 bits that hold both
  physical,  ///< 64 bits of address
  variable,  ///< rows of registers
  built_in,  ///< an input
  resource,  ///< an image or sampler
};

struct Pointer {
  PointerKind kind = PointerKind::rooted;
  std::uint32_t pointee = 0;  ///< type
  Layout layout = Layout::described;
  std::uint32_t root = 0;              ///< of rooted ones; of arrays of descriptors the first one
  std::uint32_t descriptors = 0;       ///< of a pointer to a whole array of descriptors: how many; else 0
  std::uint64_t constant = 0;          ///< part of the offset that is known, in the layout's unit
  Ref offset = {};                     ///< the rest of it (32 bits); of fat and physical ones the pointer (64 bits)
  MatrixLayout matrix = {};            ///< of the pointee, where it is a matrix or holds some
  std::uint32_t component_stride = 0;  ///< of a vector that is a column of a matrix stored by rows; else 0
  bool coherent = false;               ///< others may change the memory meanwhile
  Ref rows = {};                       ///< of variables: their first row; of built-ins: their rows
  std::uint32_t leaves = 0;            ///< of variables
  std::uint32_t slot = 4;              ///< bytes per lane of a variable's row
};

struct Value {
  std::uint32_t type = 0;
  std::vector<Ref> leaves;  ///< one row per scalar, in order
  std::optional<Pointer> pointer = {};
  std::optional<Pointer> sampler = {};  ///< of OpSampledImage; combined ones have it in `pointer`
};

}  // namespace crosslane::machine
