#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/algorithm_flags.hpp"
#include "cli/console.hpp"
#include "cli/decision_store.hpp"
#include "cli/method_output.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "cli/reduce_file.hpp"
#include "cli/verb.hpp"
#include "report/json.hpp"
#include "report/printable.hpp"
#include "report/table.hpp"

namespace crosslane::cli {
namespace {

struct ReduceFlags {
  std::string file;
  std::string op = std::string(name(Operator::sum));
  AlgorithmFlags algorithm;
  bool reproducible = false;
};

std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  names.reserve(all_operators.size());
  for (const Operator op : all_operators) {
    names.emplace_back(name(op));
  }
  return names;
}

ReduceJob job_of(const ReduceFlags& flags) {
  ReduceJob job;
  job.op = operator_of(flags.op);
  job.methods = flags.algorithm.methods();
  job.wave_size = flags.algorithm.wave_size;
  job.reproducible = flags.reproducible;
  return job;
}

std::string shape_text(const NpyHeader& header) {
  return fmt::format("({}{})", fmt::join(header.shape, ", "), header.shape.size() == 1 ? "," : "");
}

using ReduceRuns = MethodRuns<ReduceOutcome>;

void print_text(const Console& console, const ReduceFlags& flags, const NpyFile& file, const DeviceInfo& device,
                const ReduceRuns& runs) {
  const NpyHeader& header = file.header();
  console.out << fmt::format("{} of {} {} elements, shape {}, from {}\n", flags.op, header.count, name(header.type),
                             shape_text(header), report::printable(file.name()))
              << device_text(flags.algorithm, device) << (flags.reproducible ? ", reproducible" : "") << "\n\n";
  MethodTable table({"value", report::Align::right}, header.data_bytes());
  for (const ReduceOutcome& outcome : runs.outcomes) {
    table.add(outcome, outcome.value ? report::text(*outcome.value) : "-");
  }
  console.out << table.text() << agreement_text(runs.outcomes.size(), runs.agree);
}

void print_json(const Console& console, const ReduceFlags& flags, const NpyFile& file, const DeviceInfo& device,
                const ReduceRuns& runs) {
  const NpyHeader& header = file.header();
  report::Json json = report::document();
  json["file"] = file.name();
  json["type"] = name(header.type);
  json["shape"] = report::Json::array();
  for (const std::uint64_t size : header.shape) {
    json["shape"].push_back(report::exact(size));
  }
  json["count"] = report::exact(header.count);
  json["op"] = flags.op;
  json["reproducible"] = flags.reproducible;
  add_device(json, flags.algorithm, device);
  json["methods"] = report::Json::array();
  for (const ReduceOutcome& outcome : runs.outcomes) {
    json["methods"].push_back(
        method_json(outcome, "value", outcome.value ? report::exact(*outcome.value) : report::Json()));
  }
  json["agree"] = runs.agree;
  console.out << report::dump(json);
}

ExitCode run_reduce(const ReduceFlags& flags, const Console& console) {
  ReduceJob job = job_of(flags);
  Expected<NpyFile> file = NpyFile::open(flags.file);
  if (!file) {
    return report_error(console, file.error());
  }
  if (const Expected<void> sensible = check_job(*file, job); !sensible) {
    return report_error(console, sensible.error());
  }
  const Expected<std::unique_ptr<Device>> device = open_device(flags.algorithm, console);
  if (!device) {
    return report_error(console, device.error());
  }
  const Advice advice(console, flags.algorithm.methods(), (*device)->info(), "reduce");
  job.decisions = advice.source();
  auto runs = reduce_file(**device, *file, job, console);
  if (!runs) {
    return report_error(console, runs.error());
  }
  add_advice(*runs, advice);
  (console.json ? print_json : print_text)(console, flags, *file, (*device)->info(), *runs);
  return runs->agree ? ExitCode::well : ExitCode::mismatch;
}

}  // namespace

Verb add_reduce(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand("reduce", "Combine all elements of an array with one operator");
  const auto flags = std::make_shared<ReduceFlags>();
  parser
      ->add_option("FILE", flags->file,
                   "NumPy array (.npy) of uint32, int32, float32, uint64, int64 or float64, any shape")
      ->required();
  parser->add_option("--op", flags->op, "How two elements become one; and, or, xor for integers")
      ->check(CLI::IsMember(operator_names()))
      ->capture_default_str();
  add_algorithm_flags(*parser, flags->algorithm);
  parser->add_flag("--reproducible", flags->reproducible, "The same bits for float sums on every device and wave size")
      ->disable_flag_override();
  parser->footer("Example:\n  crosslane reduce samples.npy --op max --method all");
  return {parser, [flags](const Console& console) { return run_reduce(*flags, console); }};
}

}  // namespace crosslane::cli
