// What the addresses of a wave's active lanes have in common: observers need not look at one lane after the other where
// a whole wave reads or writes side by side.
#pragma once

#include <cstdint>

namespace crosslane::machine {

struct Wave;

struct AccessShape {
  bool rooted = false;  ///< all lanes start from `root`; the rest is known only then
  bool even = false;    ///< the active lanes follow each other, and so do their offsets, `step` apart
  std::uint32_t root = 0;
  std::uint32_t lead = 0;     ///< the first active lane
  std::uint32_t lanes = 0;    ///< active ones
  std::uint32_t step = 0;     ///< bytes from one lane to the next, modulo 2^32
  std::uint64_t first = 0;    ///< offset of the first active lane
  std::uint64_t lowest = 0;   ///< smallest offset of an active lane
  std::uint64_t highest = 0;  ///< largest one
};

/// Of a row of offsets from `root`, each `further` bytes on.
AccessShape shape_of(const Wave& wave, const std::uint32_t* offsets, std::uint32_t root, std::uint32_t further);
/// Of all lanes at one place.
AccessShape shape_of_one_place(const Wave& wave, std::uint32_t root, std::uint32_t offset);

}  // namespace crosslane::machine
