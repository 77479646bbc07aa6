// The variables of a function in SPIR-V.
#include "machine/random/emit_variables.hpp"

#include "machine/random/emit_words.hpp"

namespace crosslane::machine_tests {

void VariableEmitter::declare(const std::vector<std::string>& arguments) {
  text_.line(array() + " = OpVariable %array_pointer Function %no_array");
  for (std::uint32_t variable = 0; variable < in_memory_.size(); ++variable) {
    if (in_memory_[variable]) {
      text_.line(memory_of(variable) + " = OpVariable %local_pointer Function");
    }
  }
  for (std::uint32_t variable = 0; variable < in_memory_.size(); ++variable) {
    write(variable, variable < arguments.size() ? arguments[variable] : text_.constant(0));
  }
}

std::string VariableEmitter::read(std::uint32_t variable) const {
  return in_memory_[variable] ? text_.define("OpLoad %uint {}", memory_of(variable)) : blocks_.value(variable);
}

void VariableEmitter::write(std::uint32_t variable, const std::string& result) {
  if (in_memory_[variable]) {
    text_.line(fmt::format("OpStore {} {}", memory_of(variable), result));
  } else {
    blocks_.set_value(variable, result);
  }
}

std::string VariableEmitter::element(const std::string& index) const {
  const auto inside = low_bits(text_, index, array_elements - 1);
  return text_.define("OpAccessChain %local_pointer {} {}", array(), inside);
}

std::string VariableEmitter::memory_of(std::uint32_t variable) const {
  return fmt::format("%f{}_v{}", function_, variable);
}

std::string VariableEmitter::array() const { return fmt::format("%f{}_array", function_); }

}  // namespace crosslane::machine_tests
