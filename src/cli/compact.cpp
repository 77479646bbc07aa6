#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/array_flags.hpp"
#include "cli/array_transfer.hpp"
#include "cli/compact_file.hpp"
#include "cli/console.hpp"
#include "cli/decision_store.hpp"
#include "cli/method_output.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "cli/verb.hpp"
#include "cli/where_condition.hpp"
#include "report/json.hpp"
#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

struct CompactFlags : ArrayFlags {
  std::optional<std::string> where;
  std::optional<std::string> flags;
  bool partition = false;
  bool indices = false;
};

// Bytes that the work must move, counted once.
std::uint64_t moved_bytes(const CompactFlags& flags, const NpyHeader& header, std::uint64_t kept) {
  const std::uint64_t written = (flags.partition ? header.count : kept) * (flags.indices ? 4 : header.element_bytes());
  const std::uint64_t read_flags = flags.flags ? header.count * 4 : 0;
  const bool reads_elements = !flags.flags || !flags.indices;
  return written + read_flags + (reads_elements ? header.data_bytes() : 0);
}

using CompactRuns = MethodRuns<CompactOutcome>;

void print_text(const Console& console, const CompactFlags& flags, const NpyFile& file, const DeviceInfo& device,
                const CompactRuns& runs) {
  const NpyHeader& header = file.header();
  const std::uint64_t kept = runs.first().kept;
  console.out << fmt::format("{} of {} {} elements of {} kept{}: {} to {}\n", kept, header.count, name(header.type),
                             report::printable(file.name()), flags.partition ? ", the others behind them" : "",
                             flags.indices ? "places" : "elements", report::printable(flags.output))
              << device_text(flags.algorithm, device) << "\n\n"
              << passes_text(runs, moved_bytes(flags, header, kept)) << output_text(flags, runs.agree);
}

void print_json(const Console& console, const CompactFlags& flags, const NpyFile& file, const DeviceInfo& device,
                const CompactRuns& runs) {
  report::Json json = array_document(flags, file, runs.agree);
  json["kept"] = report::exact(runs.first().kept);
  json["where"] = flags.where ? report::Json(*flags.where) : report::Json();
  json["flags"] = flags.flags ? report::Json(*flags.flags) : report::Json();
  json["partition"] = flags.partition;
  json["indices"] = flags.indices;
  add_device(json, flags.algorithm, device);
  add_passes(json, runs);
  console.out << report::dump(json);
}

// What the flags select; opens the file of flags where that is meant.
Expected<Selection> selection_of(const CompactFlags& flags, const NpyFile& file, std::optional<NpyFile>& flag_file) {
  if (flags.where) {
    return parse_condition(*flags.where, file.header().type);
  }
  auto opened = NpyFile::open(*flags.flags, NpyElements::flags);
  return opened.and_then([&](const NpyFile& other) { return check_rows(other, "compact"); })
      .and_then([&] { return check_flags(file, *opened); })
      .map([&] {
        flag_file = std::move(*opened);
        return Selection(ByFlags{});
      });
}

ExitCode run_compact(const CompactFlags& flags, const Console& console) {
  Expected<NpyFile> file = open_array(flags, "compact");
  if (!file) {
    return report_error(console, file.error());
  }
  std::optional<NpyFile> flag_file;
  const auto selection = selection_of(flags, *file, flag_file);
  if (!selection) {
    return report_error(console, selection.error());
  }
  const Expected<std::unique_ptr<Device>> device = open_device(flags.algorithm, console);
  if (!device) {
    return report_error(console, device.error());
  }
  CompactJob job;
  job.options.selection = *selection;
  job.options.indices = flags.indices;
  job.options.wave_size = flags.algorithm.wave_size;
  const Advice advice(console, flags.algorithm.methods(), (*device)->info(), "compact");
  job.options.decisions = advice.source();
  job.methods = flags.algorithm.methods();
  job.partition = flags.partition;
  auto runs = compact_file(**device, *file, flag_file ? &*flag_file : nullptr, job, flags.output, console);
  if (!runs) {
    return report_error(console, runs.error());
  }
  add_advice(*runs, advice);
  (console.json ? print_json : print_text)(console, flags, *file, (*device)->info(), *runs);
  return runs->agree ? ExitCode::well : ExitCode::mismatch;
}

}  // namespace

Verb add_compact(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand("compact", "Keep some elements of an array, in their order");
  const auto flags = std::make_shared<CompactFlags>();
  add_array_files(*parser, *flags, "File for the kept elements, one dimension");
  CLI::Option_group* const selection = parser->add_option_group("selection", "What is kept, one of");
  selection->add_option("--where", flags->where,
                        "nonzero, positive, or a comparison with a number: \"> 0.5\"; signs are == != < <= > >=");
  selection->add_option("--flags", flags->flags,
                        "NumPy array of as many flags, bool or integers of 8 or 32 bits: what is not 0 is kept");
  selection->require_option(1);
  parser->add_flag("--partition", flags->partition, "Write the elements that are not kept too, behind those that are")
      ->disable_flag_override();
  parser->add_flag("--indices", flags->indices, "Write the elements' places in the array (uint32) in their stead")
      ->disable_flag_override();
  add_array_options(*parser, *flags);
  parser->footer("Example:\n  crosslane compact samples.npy -o loud.npy --where \"> 0.5\"");
  return {parser, [flags](const Console& console) { return run_compact(*flags, console); }};
}

}  // namespace crosslane::cli
