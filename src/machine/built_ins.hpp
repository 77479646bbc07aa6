// The rows of the compute built-ins.
#pragma once

#include "machine/program.hpp"
#include "machine/wave.hpp"

namespace crosslane::machine {

/// Those that are the same for every group. Threads are numbered along x, then y, then z, and lanes as they are, unless
/// Group::threads says otherwise.
void fill_fixed_built_ins(Wave& wave, const Program& program);

/// Those that depend on the wave's group.
void fill_group_built_ins(Wave& wave, const Program& program);

}  // namespace crosslane::machine
