// The lanes of an interpreted wave, and a number for each of them.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

namespace crosslane::machine_tests {

constexpr std::uint32_t most_lanes = 128;
using Lanes = std::bitset<most_lanes>;
using LaneValues = std::array<std::uint32_t, most_lanes>;

}  // namespace crosslane::machine_tests
