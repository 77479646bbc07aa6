#include "cli/loop_limit.hpp"

#include <CLI/CLI.hpp>

namespace crosslane::cli {

void add_loop_limit(CLI::App& parser, std::uint64_t& iterations) {
  parser
      .add_option(
          "--iterations", iterations,
          "Loop iterations of all threads after which a shader is taken for one that never ends, on the wave machine, "
          "if no thread group has ended meanwhile")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 48U))
      ->capture_default_str();
}

}  // namespace crosslane::cli
