// Modules that break the rules, or loops that never end: told by one clear error, never by a crash. What fuzzing found
// is kept in tests/cases/malformed.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fuzz/mutate_module.hpp"
#include "fuzz/run_module.hpp"
#include "machine/decode/decode.hpp"
#include "machine/random/emit_spirv.hpp"
#include "machine/random/generate.hpp"
#include "support/assemble.hpp"
#include "support/expected.hpp"
#include "support/sweep.hpp"

namespace crosslane::machine_tests {
namespace {

using Words = std::vector<std::uint32_t>;

Words read_words(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  Words words(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
  return words;
}

Words some_module(std::uint32_t seed) { return test::assemble(emit_spirv(generate(seed))); }

// run_module() ends the program where an error says nothing; the name of a module that does is seen in the log.
TEST(Malformed, WhatFuzzingFoundIsLoadedOrRefused) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CROSSLANE_SOURCE_DIR "/tests/cases/malformed")) {
    SCOPED_TRACE(entry.path().string());
    auto words = read_words(entry.path());
    constexpr std::size_t generator_word = 2;
    for (std::uint32_t number = 0; number < 6; ++number) {  // the wave sizes of run_module()
      if (words.size() > generator_word) {
        words[generator_word] = number;
      }
      fuzz::run_module(words);
    }
    ++files;
  }
  EXPECT_GT(files, 0U);
}

TEST(Malformed, ModulesThatEndTooEarlyAreRefused) {
  const auto words = some_module(3);
  for (std::size_t length = 0; length < words.size(); length += 1 + length / 40) {
    EXPECT_TRUE(test::fails(machine::make_program(std::span(words).first(length), {}), ErrorCode::invalid_input, ""))
        << length << " words";
  }
}

TEST(Malformed, ChangedInstructionsDoNotCrashTheMachine) {
  const auto changes = test::extent(400U, 40'000U);
  for (std::uint32_t change = 0; change < changes; ++change) {
    auto words = some_module(change % 20);
    ASSERT_TRUE(fuzz::mutate_module(words, change));
    fuzz::run_module(words);
  }
}

}  // namespace
}  // namespace crosslane::machine_tests
