// Programs of one instruction: every thread loads its operands from storage buffers, does the instruction and stores
// the result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/decode/decode.hpp"

namespace crosslane::test {

/// A scalar, vector or matrix; matrices have `columns` columns.
struct Type {
  char kind = 'u';  ///< 'u' unsigned and 'i' signed integers, 'f' floats, 'b' booleans (stored as u32)
  std::uint32_t bits = 32;
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;

  /// As the program's text has it: "u32", "v3f16", "m4v2f32", "bool".
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::uint32_t scalars() const { return rows * columns; }
  /// In a buffer, without padding.
  [[nodiscard]] std::uint32_t bytes() const { return scalars() * bits / 8; }
};

struct Instruction {
  /// Makes %r from the operands %a, %b, %c, %d: "%r = OpIAdd $R %a %b". $R stands for the result's type, $A to $D for
  /// those of the operands, here and below; %place points to where the result belongs.
  std::string body;
  Type result;
  std::vector<Type> operands;
  std::string declarations = {};  ///< further types and constants; the types above are declared before
  std::string variables = {};     ///< of the function
  std::string interface = {};     ///< further variables of the module, with a space before each
  std::string decorations = {};
  std::vector<SpecializationConstant> constants = {};
};

/// Threads per group: the last wave of a group is partly filled at every wave size above 1.
constexpr std::uint32_t group_threads = 37;
/// What the tests run at.
constexpr std::array<std::uint32_t, 5> wave_sizes = {1, 3, 4, 32, 128};

std::string program_text(const Instruction& instruction);

/// Runs a module at a wave size, the smallest sizes on other instruction sets of the host; `buffers[i]` is what Binding
/// i stands for and holds afterwards what the module wrote. Fails the test by an exception where the program cannot be
/// made or run, or writes behind the end of a buffer.
void run_module(std::span<const std::uint32_t> words, const machine::DecodeOptions& options,
                std::array<std::uint32_t, 3> groups, std::vector<std::vector<std::byte>>& buffers);

/// Runs the instruction for `count` threads; `operands` hold their operands one after the other, as in the buffers.
/// The results' bytes. Fails as `run_module`.
std::vector<std::byte> run_instruction(std::span<const std::uint32_t> words, const Instruction& instruction,
                                       std::span<const std::vector<std::byte>> operands, std::size_t count,
                                       std::uint32_t wave_size);

}  // namespace crosslane::test
