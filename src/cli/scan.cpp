#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/array_flags.hpp"
#include "cli/console.hpp"
#include "cli/decision_store.hpp"
#include "cli/method_output.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "cli/scan_file.hpp"
#include "cli/verb.hpp"
#include "report/json.hpp"
#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

struct ScanFlags : ArrayFlags {
  std::string op = std::string(name(Operator::sum));
  bool exclusive = false;
};

using ScanRuns = MethodRuns<PassesOutcome>;

void print_text(const Console& console, const ScanFlags& flags, const NpyFile& file, const DeviceInfo& device,
                const ScanRuns& runs) {
  const NpyHeader& header = file.header();
  console.out << fmt::format("{} scan by {} of {} {} elements from {} to {}\n",
                             flags.exclusive ? "exclusive" : "inclusive", flags.op, header.count, name(header.type),
                             report::printable(file.name()), report::printable(flags.output))
              << device_text(flags.algorithm, device) << "\n\n"
              << passes_text(runs, 2 * header.data_bytes()) << output_text(flags, runs.agree);
}

void print_json(const Console& console, const ScanFlags& flags, const NpyFile& file, const DeviceInfo& device,
                const ScanRuns& runs) {
  report::Json json = array_document(flags, file, runs.agree);
  json["op"] = flags.op;
  json["exclusive"] = flags.exclusive;
  add_device(json, flags.algorithm, device);
  add_passes(json, runs);
  console.out << report::dump(json);
}

ExitCode run_scan(const ScanFlags& flags, const Console& console) {
  Expected<NpyFile> file = open_array(flags, "scan");
  if (!file) {
    return report_error(console, file.error());
  }
  const Expected<std::unique_ptr<Device>> device = open_device(flags.algorithm, console);
  if (!device) {
    return report_error(console, device.error());
  }
  ScanJob job;
  job.options.op = operator_of(flags.op);
  job.options.exclusive = flags.exclusive;
  job.options.wave_size = flags.algorithm.wave_size;
  const Advice advice(console, flags.algorithm.methods(), (*device)->info(), "scan");
  job.options.decisions = advice.source();
  job.methods = flags.algorithm.methods();
  auto runs = scan_file(**device, *file, job, flags.output, console);
  if (!runs) {
    return report_error(console, runs.error());
  }
  add_advice(*runs, advice);
  (console.json ? print_json : print_text)(console, flags, *file, (*device)->info(), *runs);
  return runs->agree ? ExitCode::well : ExitCode::mismatch;
}

}  // namespace

Verb add_scan(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand("scan", "Running sums, minima or maxima of an array");
  const auto flags = std::make_shared<ScanFlags>();
  add_array_files(*parser, *flags,
                  "File for the results, as many as elements and of the same type (NumPy's cumsum widens)");
  parser->add_option("--op", flags->op, "How elements are combined")
      ->check(CLI::IsMember({"sum", "min", "max"}))
      ->capture_default_str();
  parser->add_flag("--exclusive", flags->exclusive, "Each result leaves its own element out")->disable_flag_override();
  add_array_options(*parser, *flags);
  parser->footer("Example:\n  crosslane scan counts.npy -o offsets.npy --exclusive");
  return {parser, [flags](const Console& console) { return run_scan(*flags, console); }};
}

}  // namespace crosslane::cli
