// The whole program behind `main`: parses the command line, runs one verb, reports what went wrong.
#pragma once

#include <ostream>

namespace crosslane::cli {

/// Which of the streams are terminals.
struct Terminals {
  bool out = false;
  bool err = false;
};

/// Runs the program with `main`'s arguments. Never throws. Returns the exit code.
int run_program(int argc, const char* const* argv, std::ostream& out, std::ostream& err, Terminals terminals = {});

}  // namespace crosslane::cli
