#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/array_flags.hpp"
#include "cli/console.hpp"
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

void print_text(const Console& console, const ScanFlags& flags, const NpyFile& file, const DeviceInfo& device,
                const RunOutcome& outcome) {
  const NpyHeader& header = file.header();
  console.out << fmt::format("{} scan by {} of {} {} elements from {} to {}\n",
                             flags.exclusive ? "exclusive" : "inclusive", flags.op, header.count, name(header.type),
                             report::printable(file.name()), report::printable(flags.output))
              << device_line(flags, device);
  console.out << outcome_text(outcome, 2 * header.data_bytes());
}

void print_json(const Console& console, const ScanFlags& flags, const NpyFile& file, const DeviceInfo& device,
                const RunOutcome& outcome) {
  report::Json json = array_document(flags, file);
  json["op"] = flags.op;
  json["exclusive"] = flags.exclusive;
  json["device"] = report::device_summary(device);
  json["methods"] = report::Json::array({outcome_json(outcome)});
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
  ScanOptions options;
  options.op = operator_of(flags.op);
  options.exclusive = flags.exclusive;
  options.method = flags.algorithm.methods().front();
  options.wave_size = flags.algorithm.wave_size;
  const auto outcome = scan_file(**device, *file, options, flags.output, console);
  if (!outcome) {
    return report_error(console, outcome.error());
  }
  (console.json ? print_json : print_text)(console, flags, *file, (*device)->info(), *outcome);
  return ExitCode::well;
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
