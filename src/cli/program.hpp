// The whole program behind `main`: parses the command line, runs one verb, reports what went wrong.
#pragma once

#include <ostream>

namespace crosslane::cli {

/// Runs the program with `main`'s arguments; `terminal` where `err` is one. Never throws. Returns the exit code.
int run_program(int argc, const char* const* argv, std::ostream& out, std::ostream& err, bool terminal = false);

}  // namespace crosslane::cli
