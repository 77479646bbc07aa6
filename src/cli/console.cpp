#include "cli/console.hpp"

#include "report/error_text.hpp"
#include "report/json.hpp"
#include "report/printable.hpp"

namespace crosslane::cli {

void report_progress(const Console& console, std::string_view what) {
  if (!console.json) {
    console.err << "crosslane: " << report::printable(what) << '\n' << std::flush;
  }
}

ExitCode exit_code(const Error& error) {
  switch (error.code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::invalid_input:
    case ErrorCode::unsupported:
      return ExitCode::bad_input;
    case ErrorCode::device:
    case ErrorCode::compiler:
      return ExitCode::device_failed;
  }
  return ExitCode::device_failed;
}

ExitCode report_error(const Console& console, const Error& error) {
  if (console.json) {
    report::Json json = report::document();
    json["error"] = report::error_object(error);
    console.out << report::dump(json);
  } else {
    console.err << "crosslane: error: " << report::text(error) << '\n';
  }
  return exit_code(error);
}

}  // namespace crosslane::cli
