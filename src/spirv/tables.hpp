// A SPIR-V module sorted into tables by id: the raw material of reflection.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

#include "crosslane/error.hpp"
#include "spirv/parse.hpp"

namespace crosslane::spirv {

/// The first operand of each decoration, 0 where it has none.
using Decorations = std::map<spv::Decoration, std::uint32_t>;

struct Type {
  spv::Op opcode = spv::Op::OpNop;
  std::vector<std::uint32_t> operands;  ///< words after the result id
  std::uint64_t bytes = 0;              ///< without explicit layout; 0 for runtime arrays and opaque types
  std::uint64_t block_bytes = 0;        ///< of structs with explicit layout, to the end of the last sized member
  std::uint64_t count = 0;              ///< elements of arrays, vectors and matrices; 0 for runtime arrays
};

struct Constant {
  std::uint32_t type_id = 0;
  std::uint64_t value = 0;                  ///< zero-extended to 64 bits
  std::vector<std::uint32_t> constituents;  ///< ids of a composite
  bool specialized = false;                 ///< a specialization constant or made of them
  bool computed = false;                    ///< by OpSpecConstantOp
  bool boolean = false;
};

struct Variable {
  std::uint32_t pointee = 0;
  spv::StorageClass storage = spv::StorageClass::Max;
};

struct RawEntryPoint {
  std::uint32_t model = 0;
  std::uint32_t function = 0;
  std::string name;
};

struct RawExecutionMode {
  std::uint32_t function = 0;
  std::uint32_t mode = 0;
  bool by_id = false;  ///< operands are ids of constants
  std::vector<std::uint32_t> operands;
};

struct Tables {
  Header header;
  std::vector<std::uint32_t> capabilities;
  std::vector<std::string> extensions;
  std::vector<RawEntryPoint> entry_points;
  std::vector<RawExecutionMode> execution_modes;
  std::unordered_map<std::uint32_t, std::string> names;
  std::unordered_map<std::uint32_t, Decorations> decorations;
  std::unordered_map<std::uint32_t, std::map<std::uint32_t, Decorations>> member_decorations;
  std::unordered_map<std::uint32_t, Type> types;
  std::map<std::uint32_t, Constant> constants;
  std::map<std::uint32_t, Variable> variables;                      ///< of the module, not of functions
  std::unordered_map<std::uint32_t, std::set<std::uint32_t>> uses;  ///< function → variables and functions it names

  [[nodiscard]] const Type* type(std::uint32_t id) const;
  [[nodiscard]] const Constant* constant(std::uint32_t id) const;
  [[nodiscard]] std::string name(std::uint32_t id) const;
  [[nodiscard]] std::optional<std::uint32_t> decoration(std::uint32_t id, spv::Decoration decoration) const;
  [[nodiscard]] std::optional<std::uint32_t> member_decoration(std::uint32_t id, std::uint32_t member,
                                                               spv::Decoration decoration) const;
  /// Ids of the module's variables that a function and those it calls name.
  [[nodiscard]] std::set<std::uint32_t> variables_used_by(std::uint32_t function) const;
};

/// Errors: `invalid_input` for malformed words.
Expected<Tables> make_tables(std::span<const std::uint32_t> words);

/// Operations that stop at the largest value instead of wrapping: sizes in a malformed module can be anything.
std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b);
std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b);

}  // namespace crosslane::spirv
