// What a random program gives: the dumbest interpreter of its tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

/// The traces of all threads, trace_slots words each, at that wave size. Waves are runs of consecutive threads; lanes
/// that part meet again at the end of each construct and where loops continue. `data` has a word per thread of the
/// dispatch.
std::vector<std::uint32_t> interpret(const Program& program, std::uint32_t wave_size,
                                     std::span<const std::uint32_t> data);

}  // namespace crosslane::machine_tests
