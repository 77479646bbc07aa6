// This program once more, as a process with an environment of its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "crosslane/error.hpp"

namespace crosslane::cli {

struct ChildOutcome {
  int exit_code = 0;
  int signal = 0;  ///< that ended it; 0: it ended by itself
  std::string out;
  std::string err;
};

/// Variables as NAME, VALUE.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// Runs this program's file with these arguments, waits for its end and gives what it printed; standard input is empty.
/// Its environment is this process's with `environment` put in place of what has the same names. Drivers read theirs
/// when they are loaded and never again, so that another one takes another process. Errors: `device` where the system
/// starts none.
Expected<ChildOutcome> run_again(const std::vector<std::string>& arguments, const Environment& environment);

}  // namespace crosslane::cli
