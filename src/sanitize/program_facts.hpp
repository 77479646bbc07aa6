// What a program can do at all, so that detectors need not look at what it cannot.
#pragma once

#include <vector>

#include "machine/program.hpp"

namespace crosslane::sanitize {

/// By root: the program may write it. Pointers that are values may point to any.
std::vector<bool> written_roots(const machine::Program& program);

/// By source: every access of the instruction is declared coherent, or an atomic.
std::vector<bool> coherent_sources(const machine::Program& program);

/// Whether knowledge of other threads' accesses spreads by anything but barriers of the whole group. Fences alone tell
/// nobody anything.
bool synchronises(const machine::Program& program);

}  // namespace crosslane::sanitize
