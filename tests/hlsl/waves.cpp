#include "hlsl/waves.hpp"

#include <stdexcept>

namespace crosslane::hlsl_tests {

std::vector<Wave> read_waves(const Array& placements) {
  std::map<std::uint32_t, Wave> waves;  // by their first threads
  for (std::uint32_t thread = 0; thread < placements.words.size() / 3; ++thread) {
    const std::uint32_t* placement = &placements.words[std::size_t{thread} * 3];
    if (placement[0] >= wave_size() || placement[2] != wave_size()) {
      throw std::runtime_error("a lane beyond its wave, or a wave of another size");
    }
    if (!waves[placement[1]].emplace(placement[0], thread).second) {
      throw std::runtime_error("two threads in one lane");
    }
  }
  std::vector<Wave> list;
  list.reserve(waves.size());
  for (auto& [first_thread, wave] : waves) {
    list.push_back(std::move(wave));
  }
  return list;
}

std::vector<Wave> read_full_waves(const Array& placements) {
  std::vector<Wave> waves = read_waves(placements);
  for (const Wave& wave : waves) {
    if (wave.size() != wave_size()) {
      throw std::runtime_error("a wave is partly filled");
    }
  }
  return waves;
}

}  // namespace crosslane::hlsl_tests
