// A verb of the program: the subcommand that parses its flags and the function that does its work.
#pragma once

#include <functional>

#include "cli/console.hpp"

namespace CLI {
class App;
}

namespace crosslane::cli {

/// The text behind --json; the program itself looks for the flag, so that errors of the parser obey it too.
inline constexpr const char* json_flag_help = "Print one JSON document";

struct Verb {
  CLI::App* parser = nullptr;  ///< owned by the program's parser
  std::function<ExitCode(const Console&)> run;
};

/// Each adds its subcommand to the program's parser.
Verb add_bench(CLI::App& program);
Verb add_check(CLI::App& program);
Verb add_decide(CLI::App& program);
Verb add_compile(CLI::App& program);
Verb add_devices(CLI::App& program);
Verb add_explain(CLI::App& program);
Verb add_reduce(CLI::App& program);
Verb add_registers(CLI::App& program);
Verb add_report(CLI::App& program);
Verb add_run(CLI::App& program);
Verb add_compact(CLI::App& program);
Verb add_scan(CLI::App& program);
Verb add_fft(CLI::App& program);
Verb add_blur(CLI::App& program);

}  // namespace crosslane::cli
