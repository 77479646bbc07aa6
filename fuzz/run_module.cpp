#include "fuzz/run_module.hpp"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "machine/decode/decode.hpp"
#include "machine/launch.hpp"

namespace crosslane::fuzz {
namespace {

constexpr std::array<std::uint32_t, 6> wave_sizes = {32, 4, 1, 3, 128, 17};
constexpr std::size_t generator_word = 2;
constexpr std::size_t buffer_bytes = 256;
// What runs longer finds no more, and slows the search for others down.
constexpr std::size_t most_operations = 20'000;
constexpr std::uint32_t most_threads = 256;
constexpr std::uint64_t most_register_bytes = std::uint64_t{64} << 20U;
constexpr std::uint64_t most_iterations = 64;

bool small(const machine::Program& program) {
  const auto threads = program.group_size[0] * program.group_size[1] * program.group_size[2];
  return program.ops.size() <= most_operations && threads <= most_threads &&
         std::uint64_t{program.register_bytes} * threads / program.wave_size <= most_register_bytes;
}

}  // namespace

void run_module(std::span<const std::uint32_t> words) {
  const auto wave_size = words.size() > generator_word ? wave_sizes[words[generator_word] % wave_sizes.size()] : 32;
  const auto program = machine::make_program(words, {.wave_size = wave_size});
  if (!program) {
    if (program.error().message.empty()) {
      std::abort();  // an error says what is wrong
    }
    return;
  }
  if (!small(*program)) {
    return;
  }
  std::vector<std::array<std::byte, buffer_bytes>> memory(program->roots);
  std::vector<machine::Root> roots;
  for (auto& buffer : memory) {
    roots.push_back({buffer.data(), buffer.size()});
  }
  const auto ran =
      machine::run(*program, {.groups = {2, 1, 1}, .roots = roots, .threads = 1, .most_iterations = most_iterations});
  if (!ran && ran.error().message.empty()) {
    std::abort();
  }
}

}  // namespace crosslane::fuzz
