#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/algorithm_flags.hpp"
#include "cli/console.hpp"
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

void print_text(const Console& console, const NpyFile& file, const ReduceJob& job, const DeviceInfo& device,
                const ReduceOutcome& outcome) {
  const NpyHeader& header = file.header();
  console.out << fmt::format("{} of {} {} elements, shape {}, from {}\n", name(job.op), header.count, name(header.type),
                             shape_text(header), report::printable(file.name()))
              << fmt::format("on {}: {}, {} lanes per wave{}\n\n", device.id, report::printable(device.name),
                             job.wave_size.value_or(device.wave_sizes.standard),
                             job.reproducible ? ", reproducible" : "");
  report::Table table({{"method"},
                       {"value", report::Align::right},
                       {"GPU time [ms]", report::Align::right},
                       {"GB/s", report::Align::right},
                       {"note"}});
  for (const MethodOutcome& method : outcome.methods) {
    table.add({std::string(name(method.method)), method.value ? report::text(*method.value) : "-",
               time_text(method.gpu_time_ms), rate_text(header.data_bytes(), method.gpu_time_ms),
               note_text(method.method, method.ran.value_or(method.method), method.note)});
  }
  console.out << table.text();
  if (outcome.methods.size() > 1) {
    console.out << (outcome.agree ? "\nall methods agree\n" : "\nthe methods DISAGREE\n");
  }
}

void print_json(const Console& console, const NpyFile& file, const ReduceJob& job, const DeviceInfo& device,
                const ReduceOutcome& outcome) {
  const NpyHeader& header = file.header();
  report::Json json = report::document();
  json["file"] = file.name();
  json["type"] = name(header.type);
  json["shape"] = report::Json::array();
  for (const std::uint64_t size : header.shape) {
    json["shape"].push_back(report::exact(size));
  }
  json["count"] = report::exact(header.count);
  json["op"] = name(job.op);
  json["reproducible"] = job.reproducible;
  json["device"] = report::device_summary(device);
  json["methods"] = report::Json::array();
  for (const MethodOutcome& method : outcome.methods) {
    json["methods"].push_back(
        {{"method", name(method.method)},
         {"ran", method.ran ? report::Json(name(*method.ran)) : report::Json()},
         {"value", method.value ? report::exact(*method.value) : report::Json()},
         {"gpu_time_ms", method.gpu_time_ms ? report::exact(*method.gpu_time_ms) : report::Json()},
         {"note", method.note}});
  }
  json["agree"] = outcome.agree;
  console.out << report::dump(json);
}

ExitCode run_reduce(const ReduceFlags& flags, const Console& console) {
  const ReduceJob job = job_of(flags);
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
  const Expected<ReduceOutcome> outcome = reduce_file(**device, *file, job, console);
  if (!outcome) {
    return report_error(console, outcome.error());
  }
  (console.json ? print_json : print_text)(console, *file, job, (*device)->info(), *outcome);
  return outcome->agree ? ExitCode::well : ExitCode::mismatch;
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
  add_algorithm_flags(*parser, flags->algorithm, true);
  parser->add_flag("--reproducible", flags->reproducible, "The same bits for float sums on every device and wave size")
      ->disable_flag_override();
  parser->footer("Example:\n  crosslane reduce samples.npy --op max --method all");
  return {parser, [flags](const Console& console) { return run_reduce(*flags, console); }};
}

}  // namespace crosslane::cli
