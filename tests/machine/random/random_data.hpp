// What random programs read.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

/// A word per thread of the dispatch, small ones mostly.
inline std::vector<std::uint32_t> random_data(const Program& program, std::uint32_t seed) {
  std::minstd_rand random(seed + 1);
  std::vector<std::uint32_t> data(std::size_t{program.groups} * program.threads);
  for (auto& word : data) {
    word = static_cast<std::uint32_t>(random() % 3 == 0 ? random() * 3 : random() % 8);
  }
  return data;
}

}  // namespace crosslane::machine_tests
