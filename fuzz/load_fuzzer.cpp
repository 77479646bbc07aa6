// The loader and the machine behind it, on any bytes: no module may crash them.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "fuzz/mutate_module.hpp"
#include "fuzz/run_module.hpp"

namespace {

std::vector<std::uint32_t> words_of(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint32_t> words(size / sizeof(std::uint32_t));
  if (!words.empty()) {
    std::memcpy(words.data(), data, words.size() * sizeof(std::uint32_t));
  }
  return words;
}

}  // namespace

// libFuzzer calls functions of these names.
extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  crosslane::fuzz::run_module(words_of(data, size));
  return 0;
}

// Bytes changed at random are nearly never a module that passes validation: most changes are made to instructions.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned int seed) {
  auto words = words_of(data, size);
  if (seed % 8 == 0 || !crosslane::fuzz::mutate_module(words, seed / 8) || words.size() * 4 > max_size) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  std::memcpy(data, words.data(), words.size() * sizeof(std::uint32_t));
  return words.size() * sizeof(std::uint32_t);
}

}  // extern "C"
