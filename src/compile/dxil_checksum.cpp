#include "compile/dxil_checksum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace crosslane::compile {
namespace {

// "DXBC", then the checksum; what follows is summed.
constexpr std::size_t checksum_offset = 4;
constexpr std::size_t summed_offset = checksum_offset + sizeof(DxilChecksum);

constexpr std::size_t block_bytes = 64;
using Block = std::array<std::byte, block_bytes>;
using State = std::array<std::uint32_t, 4>;

void put_word(std::span<std::byte> bytes, std::size_t offset, std::uint32_t word) {
  for (std::size_t i = 0; i < sizeof(word); ++i) {
    bytes[offset + i] = static_cast<std::byte>(word >> (8 * i));
  }
}

std::uint32_t word_of(std::span<const std::byte> bytes, std::size_t index) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < sizeof(word); ++i) {
    word |= std::to_integer<std::uint32_t>(bytes[index * sizeof(word) + i]) << (8 * i);
  }
  return word;
}

/// MD5's step over one block (RFC 1321).
void add_block(State& state, std::span<const std::byte> block) {
  static constexpr std::array<std::array<int, 4>, 4> shifts = {
      {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
  auto [a, b, c, d] = state;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t round = i / 16;
    const std::array mixed = {(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)};
    const std::array places = {i, 5 * i + 1, 3 * i + 5, 7 * i};
    const auto constant = static_cast<std::uint32_t>(std::floor(std::ldexp(std::abs(std::sin(i + 1.0)), 32)));
    const std::uint32_t sum = a + mixed.at(round) + constant + word_of(block, places.at(round) % 16);
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, shifts.at(round).at(i % 4));
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

}  // namespace

DxilChecksum dxil_checksum(std::span<const std::byte> container) {
  const auto summed = container.subspan(std::min(summed_offset, container.size()));
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const std::size_t whole = summed.size() / block_bytes * block_bytes;
  for (std::size_t at = 0; at < whole; at += block_bytes) {
    add_block(state, summed.subspan(at, block_bytes));
  }
  // Here it leaves MD5: the number of bits goes in front of the last bytes where there is room for it, and the last
  // word is made of it too.
  const auto rest = summed.subspan(whole);
  const auto bits = static_cast<std::uint32_t>(summed.size() * 8);
  constexpr std::size_t last_word = block_bytes - sizeof(std::uint32_t);
  constexpr std::byte end_mark{0x80};
  Block block{};
  const std::size_t first = rest.size() + 1 + 2 * sizeof(bits) <= block_bytes ? sizeof(bits) : 0;
  std::ranges::copy(rest, block.begin() + first);
  block.at(first + rest.size()) = end_mark;
  if (first == 0) {
    add_block(state, block);
    block = {};
  }
  put_word(block, 0, bits);
  put_word(block, last_word, (bits >> 2U) | 1U);
  add_block(state, block);

  DxilChecksum checksum{};
  for (std::size_t i = 0; i < state.size(); ++i) {
    put_word(checksum, i * sizeof(std::uint32_t), state.at(i));
  }
  return checksum;
}

DxilChecksum stored_dxil_checksum(std::span<const std::byte> container) {
  DxilChecksum checksum{};
  if (container.size() >= summed_offset) {
    std::ranges::copy(container.subspan(checksum_offset, checksum.size()), checksum.begin());
  }
  return checksum;
}

void write_dxil_checksum(std::span<std::byte> container) {
  if (container.size() >= summed_offset) {
    std::ranges::copy(dxil_checksum(container), container.subspan(checksum_offset).begin());
  }
}

}  // namespace crosslane::compile
