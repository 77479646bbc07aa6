// The variables of a function in SPIR-V: in memory, or values that its blocks carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "machine/random/emit_blocks.hpp"
#include "machine/random/emit_text.hpp"
#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

class VariableEmitter {
 public:
  /// Of the function of that number.
  VariableEmitter(SpirvText& text, BlockEmitter& blocks, const Program& program, std::size_t function)
      : text_(text), blocks_(blocks), in_memory_(program.functions[function].in_memory), function_(function) {}

  /// At the start of the function: the first variables become the arguments, the others 0.
  void declare(const std::vector<std::string>& arguments);

  [[nodiscard]] std::string read(std::uint32_t variable) const;
  void write(std::uint32_t variable, const std::string& result);

  /// A pointer to an element of the function's array.
  [[nodiscard]] std::string element(const std::string& index) const;

 private:
  [[nodiscard]] std::string memory_of(std::uint32_t variable) const;
  [[nodiscard]] std::string array() const;

  SpirvText& text_;
  BlockEmitter& blocks_;
  const std::vector<bool>& in_memory_;
  std::size_t function_;
};

}  // namespace crosslane::machine_tests
