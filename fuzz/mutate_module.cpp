#include "fuzz/mutate_module.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>

namespace crosslane::fuzz {
namespace {

constexpr std::size_t header_words = 5;
constexpr std::size_t bound_word = 3;
constexpr std::uint32_t opcode_bits = 16;

using Words = std::vector<std::uint32_t>;
using Random = std::minstd_rand;

// A number below `end`.
std::uint32_t below(Random& random, std::size_t end) { return static_cast<std::uint32_t>(random() % end); }

// Where instructions start; empty where the words do not cut into instructions.
std::vector<std::size_t> instruction_starts(const Words& words) {
  std::vector<std::size_t> starts;
  for (std::size_t at = header_words; at < words.size();) {
    const std::size_t count = words[at] >> opcode_bits;
    if (count == 0 || count > words.size() - at) {
      return {};
    }
    starts.push_back(at);
    at += count;
  }
  return starts;
}

std::uint32_t some_word(const Words& words, Random& random) {
  constexpr std::array odd = {0U,  1U,   2U,   3U,   31U,         32U,         63U,
                              64U, 127U, 128U, 255U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU};
  switch (below(random, 4)) {
    case 0:
      return odd[below(random, odd.size())];
    case 1:
      return words[below(random, words.size())];
    default:
      return below(random, std::size_t{words[bound_word] % 65536} + 1);  // perhaps an id
  }
}

void change(Words& words, const std::vector<std::size_t>& starts, Random& random) {
  const auto instruction = [&] { return starts[below(random, starts.size())]; };
  const auto place = [](std::size_t at) { return static_cast<std::ptrdiff_t>(at); };
  const std::size_t at = instruction();
  const std::size_t count = words[at] >> opcode_bits;
  switch (below(random, 10)) {
    case 0:  // the opcode of another
      words[at] = (words[at] & ~0xFFFFU) | (words[instruction()] & 0xFFFFU);
      return;
    case 1:  // a neighbouring opcode: often of the same form
      words[at] = (words[at] & ~0xFFFFU) | ((words[at] + below(random, 9) - 4) & 0xFFFFU);
      return;
    case 2:
      words.erase(words.begin() + place(at), words.begin() + place(at + count));
      return;
    case 3: {  // a copy elsewhere
      const Words copy(words.begin() + place(at), words.begin() + place(at + count));
      words.insert(words.begin() + place(instruction()), copy.begin(), copy.end());
      return;
    }
    case 4:  // one operand more
      words[at] += 1U << opcode_bits;
      words.insert(words.begin() + place(at + count), some_word(words, random));
      return;
    default:
      if (count > 1) {
        words[at + 1 + below(random, count - 1)] = some_word(words, random);
      }
  }
}

}  // namespace

bool mutate_module(Words& words, std::uint32_t seed) {
  Random random(seed + 1);
  for (auto changes = 1 + below(random, 3); changes > 0; --changes) {
    const auto starts = words.size() > header_words ? instruction_starts(words) : std::vector<std::size_t>();
    if (starts.empty()) {
      return false;
    }
    change(words, starts, random);
  }
  if (below(random, 4) == 0) {
    words[2] = below(random, 256);  // chooses the wave size
  }
  return true;
}

}  // namespace crosslane::fuzz
