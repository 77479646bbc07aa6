#include "cli/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/console.hpp"
#include "cli/verb.hpp"
#include "cli/version.hpp"

namespace crosslane::cli {
namespace {

constexpr const char* examples = R"(Examples:
  crosslane devices                           the devices and the shader compiler found here
  crosslane reduce samples.npy --method all   one array, summed by every method, compared and timed
  crosslane scan samples.npy -o sums.npy      its running sums, as an array
  crosslane fft samples.npy -o spectrum.npy   its discrete Fourier transform
  crosslane blur photo.png -o soft.png        an image, blurred
  crosslane run blur.hlsl --job blur.yaml     a shader of yours on buffers of yours, its results checked
  crosslane check blur.hlsl --job blur.yaml   what is wrong with it, at any wave size, without a GPU
  crosslane compile blur.hlsl -T cs_6_6 --dxil -o blur.dxil   for Direct3D 12
  crosslane bench                             how fast each method is here, and an exchange between lanes
  crosslane decide                            which method suits the GPU here; automatic methods obey it
  crosslane report -o report.html             both on one page

Exit codes:
  0  well
  1  findings, or results that do not match
  2  bad input or use
  3  the device or the shader compiler failed)";

// `verb` is null where none was given.
ExitCode bad_use(const Console& console, const std::string& what, const Verb* verb) {
  const std::string place = verb == nullptr ? "crosslane" : "crosslane " + verb->parser->get_name();
  return report_error(console,
                      Error{ErrorCode::invalid_argument, what + " (" + place + " --help shows what there is)"});
}

const Verb* given_verb(const std::vector<Verb>& verbs) {
  const auto verb = std::ranges::find_if(verbs, [](const Verb& candidate) { return candidate.parser->parsed(); });
  return verb == verbs.end() ? nullptr : &*verb;
}

ExitCode parse_and_run(int argc, const char* const* argv, Console& console) {
  CLI::App program(
      "Cross-lane GPU compute: reduce, scan and transform arrays by groupshared memory, lane shuffles or wave "
      "intrinsics,\n"
      "run shaders of your own, and see what the devices of this machine can do.",
      "crosslane");
  program.footer(examples);
  program.set_version_flag("--version", version_text(), "Print the version and what it was built with");
  const std::vector<Verb> verbs = {
      add_devices(program), add_reduce(program), add_scan(program),      add_compact(program), add_fft(program),
      add_blur(program),    add_run(program),    add_check(program),     add_explain(program), add_compile(program),
      add_bench(program),   add_decide(program), add_registers(program), add_report(program)};
  program.require_subcommand(0, 1);

  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version come as exceptions too
      program.exit(error, console.out, console.err);
      return ExitCode::well;
    }
    return bad_use(console, error.what(), given_verb(verbs));
  }
  if (const Verb* const verb = given_verb(verbs)) {
    return verb->run(console);
  }
  if (console.json) {
    return bad_use(console, "no verb was given", nullptr);
  }
  console.err << program.help();
  return ExitCode::bad_input;
}

}  // namespace

int run_program(int argc, const char* const* argv, std::ostream& out, std::ostream& err, Terminals terminals) {
  // Known before the arguments are parsed, since errors in them are JSON too. After "--" there are only files.
  const std::span<const char* const> arguments(argv, static_cast<std::size_t>(std::max(argc, 0)));
  const auto end = std::ranges::find(arguments, std::string_view("--"));
  const bool json = std::any_of(arguments.begin(), end, [](std::string_view argument) {
    return argument == "--json" || argument.starts_with("--json=");
  });
  const char* const no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  const bool color = terminals.out && (no_color == nullptr || *no_color == '\0');
  Console console{out, err, json, terminals.err, color};
  ExitCode code = ExitCode::well;
  try {
    code = parse_and_run(argc, argv, console);
  } catch (const std::exception& exception) {
    code = report_error(console, Error{ErrorCode::device, std::string("unexpected failure: ") + exception.what()});
  }
  out.flush();
  if (!out) {
    err << "crosslane: error: standard output cannot be written: free the disk or the pipe it goes to\n";
    code = ExitCode::bad_input;
  }
  return static_cast<int>(code);
}

}  // namespace crosslane::cli
