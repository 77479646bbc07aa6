// Where a verb prints, and what it returns to the shell.
#pragma once

#include <ostream>
#include <string_view>

#include "crosslane/error.hpp"

namespace crosslane::cli {

/// Exit codes of the program, the same for every verb.
enum class ExitCode : int {
  well = 0,
  mismatch = 1,       ///< findings, or results that do not match
  bad_input = 2,      ///< a file or flag that makes no sense, or asks for what is not supported
  device_failed = 3,  ///< the device or a compiler failed
};

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool json = false;      ///< everything goes to `out` as one JSON document, errors too
  bool terminal = false;  ///< `err` is a terminal, where lines can be rewritten
  bool color = false;     ///< `out` is a terminal, and the user wants colours (no NO_COLOR)
};

/// Tells people what takes so long: "crosslane: …" on `err`, at once; nothing where the output is JSON.
void report_progress(const Console& console, std::string_view what);

/// What the error means to the shell.
ExitCode exit_code(const Error& error);

/// Prints the error as JSON on `out`, or as "crosslane: error: …" on `err`. Returns its exit code.
ExitCode report_error(const Console& console, const Error& error);

}  // namespace crosslane::cli
