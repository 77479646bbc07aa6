#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/array_flags.hpp"
#include "cli/console.hpp"
#include "cli/fft_file.hpp"
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

void print_text(const Console& console, const FftFlags& flags, const NpyFile& file, const FftOptions& options,
                const AxisLines& lines, const DeviceInfo& device, const RunOutcome& outcome) {
  const NpyHeader& header = file.header();
  console.out << fmt::format("{} transforms of {} points each, {}, of {} {} elements from {} to {}\n",
                             lines.count * lines.rows, options.size, flags.inverse ? "inverse" : "forward",
                             header.count, type_text(header), report::printable(file.name()),
                             report::printable(flags.output))
              << device_line(flags, device) << outcome_text(outcome, bytes_moved(options, lines));
}

void print_json(const Console& console, const FftFlags& flags, const NpyFile& file, const FftOptions& options,
                const AxisLines& lines, const DeviceInfo& device, const RunOutcome& outcome) {
  report::Json json = array_document(flags, file);
  json["size"] = report::exact(options.size);
  json["transforms"] = report::exact(lines.count * lines.rows);
  json["axis"] = flags.axis;
  json["inverse"] = flags.inverse;
  json["real"] = flags.real;
  json["norm"] = flags.norm;
  json["device"] = report::device_summary(device);
  json["methods"] = report::Json::array({outcome_json(outcome)});
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
  FftOptions options;
  options.size = *size;
  options.type = part_type(file->header());
  options.real = flags.real;
  options.inverse = flags.inverse;
  options.scaling = scaling_of(flags.norm);
  options.method = flags.algorithm.methods().front();
  options.wave_size = flags.algorithm.wave_size;
  const auto outcome = fft_file(**device, *file, options, *lines, flags.output, console);
  if (!outcome) {
    return report_error(console, outcome.error());
  }
  (console.json ? print_json : print_text)(console, flags, *file, options, *lines, (*device)->info(), *outcome);
  return ExitCode::well;
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
