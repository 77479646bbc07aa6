// What wave operations give.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/random/interpret_lanes.hpp"
#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

/// The results of an expression that is a wave operation, of the values of its operands. Only active lanes have one.
LaneValues interpret_wave_operation(const Expression& expression, const std::vector<LaneValues>& operands, Lanes active,
                                    std::uint32_t wave_size);

}  // namespace crosslane::machine_tests
