// Runs a program that is observed: one group at a time, in an order of the caller's choice.
#pragma once

#include "crosslane/error.hpp"
#include "machine/launch.hpp"
#include "machine/program.hpp"

namespace crosslane::machine {

/// Errors: as `run`, and `invalid_input` as soon as it is certain that the groups that have begun wait for ever.
Expected<void> run_watched(const Program& program, const Launch& launch);

/// "Thread group (0, 0, 0) goes round a loop for more than … times", for both ways to run.
Error endless_loop(const Group& group, std::uint64_t iterations);

}  // namespace crosslane::machine
