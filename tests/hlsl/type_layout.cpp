#include "hlsl/type_layout.hpp"

#include <array>
#include <utility>

namespace crosslane::hlsl_tests {
namespace {

using Named = std::pair<std::string_view, std::vector<std::uint32_t>>;

const std::vector<Named>& structs() {
  static const std::vector<Named> table = {
      {"One", {32}},
      {"Two", {32, 32}},
      {"Three", {1, 64, 32, 32, 32}},
      {"Four", {32, 32, 32, 32, 32, 32, 32, 32, 64, 32}},
      {"Five", {32, 32, 32, 32, 32}},
      {"Six", {16, 16, 16, 16, 16, 32, 16, 16, 16, 16, 1, 1}},
      {"Seven", {32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 1, 1, 1, 1, 64, 64, 1, 64, 32, 32, 32}},
      {"Eight", {64, 32, 32, 64, 64, 32, 32, 32, 32, 32, 32, 32, 1}},
      {"Partly", {32, 32, 32}},
  };
  return table;
}

// Longest names first, so that "int64_t2" is not taken for an "int".
constexpr std::array<std::pair<std::string_view, std::uint32_t>, 10> scalars = {{{"uint64_t", 64},
                                                                                 {"uint16_t", 16},
                                                                                 {"float16_t", 16},
                                                                                 {"int64_t", 64},
                                                                                 {"int16_t", 16},
                                                                                 {"double", 64},
                                                                                 {"float", 32},
                                                                                 {"uint", 32},
                                                                                 {"bool", 1},
                                                                                 {"int", 32}}};

std::size_t digit(char c) { return static_cast<std::size_t>(c - '0'); }

}  // namespace

std::vector<std::uint32_t> component_bits(std::string_view type) {
  for (const auto& [name, bits] : structs()) {
    if (name == type) {
      return bits;
    }
  }
  for (const auto& [name, bits] : scalars) {
    if (type.substr(0, name.size()) == name) {
      const std::string_view shape = type.substr(name.size());
      std::size_t count = 1;
      for (const char c : shape) {
        count *= c == 'x' ? 1 : digit(c);
      }
      std::vector<std::uint32_t> components(count, bits);
      return components;
    }
  }
  return {};
}

bool needs_16_bit_types(std::string_view type) { return type.find("16_t") != std::string_view::npos; }

}  // namespace crosslane::hlsl_tests
