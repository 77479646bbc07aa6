// Runs a program that is observed: one group at a time, in an order of the caller's choice.
#pragma once

#include "crosslane/error.hpp"
#include "machine/launch.hpp"
#include "machine/program.hpp"

namespace crosslane::machine {

/// Errors: as `run`, and `device` as soon as it is certain that the groups that have begun wait for ever.
Expected<void> run_watched(const Program& program, const Launch& launch);

}  // namespace crosslane::machine
