// Test data made on the device: the host knows every word without a transfer.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "crosslane/device.hpp"
#include "crosslane/scalar_type.hpp"
#include "kernels/measure/hash.hlsli"

namespace crosslane::measure {

using kernel_interface::WordPattern;

/// Hashes as they are.
inline constexpr WordPattern raw_words = {~0U, 0, ~0U, 0};

/// For arrays of that type: integers take every value, floats lie in [1, 2).
constexpr WordPattern pattern_for(ScalarType type) {
  if (type == ScalarType::f32) {
    return {0x007FFFFFU, 0x3F800000U, 0x007FFFFFU, 0x3F800000U};
  }
  return type == ScalarType::f64 ? WordPattern{~0U, 0, 0x000FFFFFU, 0x3FF00000U} : raw_words;
}

/// Word `i` of what fill_with_hashes(…, first) writes.
constexpr std::uint32_t hash_word(std::uint32_t first, std::uint64_t i) {
  return kernel_interface::hash_of(first + static_cast<std::uint32_t>(i));
}

/// Element `i` of an array of T that was filled from hash 0 on with the pattern of its type.
template <typename T>
T hash_element(std::uint64_t i) {
  constexpr WordPattern pattern = pattern_for(scalar_type_of<T>);
  constexpr std::uint64_t words = size_of(scalar_type_of<T>) / 4;
  std::array<std::uint32_t, words> bits{};
  for (std::uint64_t word = 0; word < words; ++word) {
    const std::uint64_t place = i * words + word;
    bits[word] = kernel_interface::apply_pattern(pattern, static_cast<std::uint32_t>(place), hash_word(0, place));
  }
  return std::bit_cast<T>(bits);
}

/// Fills the first `words` 32-bit words of `buffer` with hash_word(first, 0), hash_word(first, 1), …, by the pattern;
/// waits for it.
Expected<void> fill_with_hashes(Device& device, Buffer& buffer, std::uint64_t words, std::uint32_t first,
                                const WordPattern& pattern = raw_words);

}  // namespace crosslane::measure
