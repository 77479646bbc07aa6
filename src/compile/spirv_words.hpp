// SPIR-V as bytes, which compilers and files hand over, and as words, which it is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace crosslane::compile {

/// Whole words; bytes after the last whole word are dropped.
inline std::vector<std::uint32_t> words_of(std::span<const std::byte> bytes) {
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  if (!words.empty()) {
    std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
  }
  return words;
}

inline std::vector<std::byte> bytes_of(std::span<const std::uint32_t> words) {
  const auto bytes = std::as_bytes(words);
  return {bytes.begin(), bytes.end()};
}

}  // namespace crosslane::compile
