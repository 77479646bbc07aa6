// How long the wave machine goes round loops before it takes a shader for one that never ends.
#pragma once

#include <cstdint>

namespace CLI {
class App;
}

namespace crosslane::cli {

/// Declares --iterations, which raises `iterations` (machine::Launch::most_iterations).
void add_loop_limit(CLI::App& parser, std::uint64_t& iterations);

}  // namespace crosslane::cli
