#include "hlsl/values.hpp"

namespace crosslane::hlsl_tests {

std::uint32_t random_bits(std::uint32_t number) {
  std::uint32_t x = number + 0x9E3779B9U;
  x = (x ^ (x >> 16U)) * 0x7FEB352DU;
  x = (x ^ (x >> 15U)) * 0x846CA68BU;
  return x ^ (x >> 16U);
}

Value make_value(const std::vector<std::uint32_t>& component_bits, std::uint32_t number) {
  Value value;
  for (const std::uint32_t bits : component_bits) {
    const auto component = static_cast<std::uint32_t>(value.size());
    const std::uint32_t low = random_bits(number * 64 + component);
    if (bits == 1) {
      value.push_back(low & 1U);
      continue;
    }
    const std::uint64_t random = low | (std::uint64_t{random_bits(~low)} << 32U);
    const std::uint64_t top = 0x20U | (random >> 59U);  // exponents of normal numbers
    value.push_back((random & ((std::uint64_t{1} << (bits - 8)) - 1)) | (top << (bits - 8)));
  }
  return value;
}

void append(Array& array, const Value& value) {
  for (const std::uint64_t component : value) {
    array.words.push_back(static_cast<std::uint32_t>(component));
    array.words.push_back(static_cast<std::uint32_t>(component >> 32U));
  }
}

Value value_at(const Array& array, std::size_t index, std::size_t components) {
  Value value;
  for (std::size_t at = index * components * 2; value.size() < components; at += 2) {
    value.push_back(array.words.at(at) | (std::uint64_t{array.words.at(at + 1)} << 32U));
  }
  return value;
}

Value unwritten_value(std::size_t components) {
  return Value(components, unwritten | (std::uint64_t{unwritten} << 32U));
}

}  // namespace crosslane::hlsl_tests
