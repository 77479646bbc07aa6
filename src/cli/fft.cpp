#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/array_flags.hpp"
#include "cli/console.hpp"
#include "cli/decision_store.hpp"
#include "cli/fft_file.hpp"
#include "cli/method_output.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "cli/verb.hpp"
#include "report/json.hpp"
#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

struct FftFlags : ArrayFlags {
  bool inverse = false;
  bool real = false;
  std::int64_t axis = -1;
  std::string norm = std::string(name(FftScaling::backward));
};

using FftRuns = MethodRuns<PassesOutcome>;

FftScaling scaling_of(const std::string& norm) {
  for (const FftScaling scaling : all_fft_scalings) {
    if (name(scaling) == norm) {
      return scaling;
    }
  }
  return FftScaling::backward;
}

/// What one run reads and writes: of real numbers and their spectra half as much.
std::uint64_t bytes_moved(const FftOptions& options, const AxisLines& lines) {
  return lines.count * lines.rows * options.size * size_of(options.type) * (options.real ? 2 : 4);
}

void print_text(const Console& console, const FftFlags& flags, const NpyFile& file, const FftJob& job,
                const DeviceInfo& device, const FftRuns& runs) {
  const NpyHeader& header = file.header();
  console.out << fmt::format("{} transforms of {} points each, {}, of {} {} elements from {} to {}\n",
                             job.lines.count * job.lines.rows, job.options.size, flags.inverse ? "inverse" : "forward",
                             header.count, type_text(header), report::printable(file.name()),
                             report::printable(flags.output))
              << device_text(flags.algorithm, device) << "\n\n"
              << passes_text(runs, bytes_moved(job.options, job.lines)) << output_text(flags, runs.agree);
}

void print_json(const Console& console, const FftFlags& flags, const NpyFile& file, const FftJob& job,
                const DeviceInfo& device, const FftRuns& runs) {
  report::Json json = array_document(flags, file, runs.agree);
  json["size"] = report::exact(job.options.size);
  json["transforms"] = report::exact(job.lines.count * job.lines.rows);
  json["axis"] = flags.axis;
  json["inverse"] = flags.inverse;
  json["real"] = flags.real;
  json["norm"] = flags.norm;
  add_device(json, flags.algorithm, device);
  add_passes(json, runs);
  console.out << report::dump(json);
}

ExitCode run_fft(const FftFlags& flags, const Console& console) {
  Expected<NpyFile> file = open_array(flags, "fft", NpyElements::complex);
  if (!file) {
    return report_error(console, file.error());
  }
  const Expected<AxisLines> lines = lines_along(*file, flags.axis);
  if (!lines) {
    return report_error(console, lines.error());
  }
  const Expected<std::uint64_t> size = transform_size(*file, *lines, flags.real, flags.inverse);
  if (!size) {
    return report_error(console, size.error());
  }
  const Expected<std::unique_ptr<Device>> device = open_device(flags.algorithm, console);
  if (!device) {
    return report_error(console, device.error());
  }
  FftJob job;
  job.lines = *lines;
  job.methods = flags.algorithm.methods();
  job.options.size = *size;
  job.options.type = part_type(file->header());
  job.options.real = flags.real;
  job.options.inverse = flags.inverse;
  job.options.scaling = scaling_of(flags.norm);
  job.options.wave_size = flags.algorithm.wave_size;
  const Advice advice(console, flags.algorithm.methods(), (*device)->info(), "fft");
  job.options.decisions = advice.source();
  auto runs = fft_file(**device, *file, job, flags.output, console);
  if (!runs) {
    return report_error(console, runs.error());
  }
  add_advice(*runs, advice);
  (console.json ? print_json : print_text)(console, flags, *file, job, (*device)->info(), *runs);
  return runs->agree ? ExitCode::well : ExitCode::mismatch;
}

}  // namespace

Verb add_fft(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand("fft", "Discrete Fourier transforms along one axis of an array");
  const auto flags = std::make_shared<FftFlags>();
  add_array_files(*parser, *flags,
                  "File for the results, of the array's shape: complex64 for float32 and complex64, else complex128 "
                  "(with --real --inverse float32, float64)",
                  "NumPy array (.npy) of complex64, complex128, uint32, int32, float32, uint64, int64 or float64");
  parser->add_flag("--inverse", flags->inverse, "The inverse transform")->disable_flag_override();
  parser
      ->add_flag("--real", flags->real,
                 "Transform real numbers to the half of their spectrum that says all; with --inverse, back")
      ->disable_flag_override();
  parser->add_option("--axis", flags->axis, "The axis to transform along; negative ones count from the end")
      ->capture_default_str();
  parser->add_option("--norm", flags->norm, "Which direction is divided by the number of points, or both by its root")
      ->check(CLI::IsMember({"backward", "ortho", "forward"}))
      ->capture_default_str();
  add_array_options(*parser, *flags);
  parser->footer("Example:\n  crosslane fft samples.npy -o spectrum.npy --norm ortho");
  return {parser, [flags](const Console& console) { return run_fft(*flags, console); }};
}

}  // namespace crosslane::cli
