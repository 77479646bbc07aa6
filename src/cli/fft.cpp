#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "base/product.hpp"
#include "cli/array_flags.hpp"
#include "cli/console.hpp"
#include "cli/decision_store.hpp"
#include "cli/fft_file.hpp"
#include "cli/flag_checks.hpp"
#include "cli/method_output.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "cli/verb.hpp"
#include "report/json.hpp"
#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

struct FftFlags : ArrayFlags {
  FftSelection selection;
  std::int64_t axis = -1;
  std::vector<std::int64_t> axes;
  bool in_two_dimensions = false;
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

std::vector<std::uint64_t> sizes_of(const FftGrid& grid) {
  std::vector<std::uint64_t> sizes;
  for (const std::size_t axis : grid.axes) {
    sizes.push_back(grid.shape[axis]);
  }
  return sizes;
}

std::uint64_t transforms_of(const FftGrid& grid) { return product(grid.shape) / product(sizes_of(grid)); }

std::string element_text(const NpyHeader& header) {
  return header.channel ? std::string(name(*header.channel)) : type_text(header);
}

void print_text(const Console& console, const FftFlags& flags, const NpyFile& file, const FftJob& job,
                const DeviceInfo& device, const FftRuns& runs) {
  const NpyHeader& header = file.header();
  const std::uint64_t transforms = transforms_of(job.grid);
  console.out << fmt::format("{} transform{} of {} points{}, {}, of {} {} elements from {} to {}\n", transforms,
                             transforms == 1 ? "" : "s", fmt::join(sizes_of(job.grid), " × "),
                             transforms == 1 ? "" : " each", job.options.inverse ? "inverse" : "forward", header.count,
                             element_text(header), report::printable(file.name()), report::printable(flags.output))
              << device_text(flags.algorithm, device) << "\n\n"
              << passes_text(runs, bytes_moved(job)) << output_text(flags, runs.agree);
}

void print_json(const Console& console, const FftFlags& flags, const NpyFile& file, const FftJob& job,
                const DeviceInfo& device, const FftRuns& runs) {
  report::Json json = array_document(flags, file, runs.agree);
  json["type"] = element_text(file.header());
  json["sizes"] = report::Json::array();
  for (const std::uint64_t size : sizes_of(job.grid)) {
    json["sizes"].push_back(report::exact(size));
  }
  json["axes"] = flags.selection.axes;
  if (job.grid.axes.size() == 1) {
    json["size"] = json["sizes"][0];
    json["axis"] = json["axes"][0];
  }
  json["transforms"] = report::exact(transforms_of(job.grid));
  json["inverse"] = job.options.inverse;
  json["real"] = job.options.real;
  json["halves"] = job.options.halves;
  json["norm"] = flags.norm;
  add_device(json, flags.algorithm, device);
  add_passes(json, runs);
  console.out << report::dump(json);
}

// What the flags of axes mean together.
FftSelection selection_of(const FftFlags& flags) {
  FftSelection selection = flags.selection;
  if (flags.in_two_dimensions) {
    selection.axes = {-2, -1};
    selection.flag = "--2d";
  } else if (!flags.axes.empty()) {
    selection.axes = flags.axes;
    selection.flag = fmt::format("--axes {}", fmt::join(flags.axes, ","));
  } else {
    selection.axes = {flags.axis};
    selection.flag = fmt::format("--axis {}", flags.axis);
  }
  return selection;
}

ExitCode run_fft(FftFlags flags, const Console& console) {
  flags.selection = selection_of(flags);
  const FftSelection& selection = flags.selection;
  if (selection.size && !(selection.real && selection.inverse)) {
    return report_error(console, Error{ErrorCode::invalid_argument,
                                       "--size says how many real numbers half of a spectrum becomes: add --real "
                                       "--inverse, or leave it out"});
  }
  if (selection.halves && selection.real) {
    return report_error(console,
                        Error{ErrorCode::invalid_argument,
                              "--halves are complex numbers, and --real transforms real ones: leave one of the "
                              "two out"});
  }
  Expected<NpyFile> file = open_array(flags, "fft", selection.halves ? NpyElements::halves : NpyElements::complex);
  if (!file) {
    return report_error(console, file.error());
  }
  const Expected<FftGrid> grid = grid_of(*file, selection);
  if (!grid) {
    return report_error(console, grid.error());
  }
  const Expected<std::unique_ptr<Device>> device = open_device(flags.algorithm, console);
  if (!device) {
    return report_error(console, device.error());
  }
  FftJob job;
  job.grid = *grid;
  job.methods = flags.algorithm.methods();
  job.options.type = part_type(file->header());
  job.options.real = selection.real;
  job.options.inverse = selection.inverse;
  job.options.halves = selection.halves;
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
  CLI::App* const parser =
      program.add_subcommand("fft", "Discrete Fourier transforms along one axis of an array, or several");
  const auto flags = std::make_shared<FftFlags>();
  add_array_files(*parser, *flags,
                  "File for the results, of the array's shape: complex64 for float32 and complex64, else complex128 "
                  "(with --real --inverse float32, float64)",
                  "NumPy array (.npy) of complex64, complex128, uint32, int32, float32, uint64, int64 or float64");
  FftSelection& selection = flags->selection;
  parser->add_flag("--inverse", selection.inverse, "The inverse transform")->disable_flag_override();
  parser
      ->add_flag("--real", selection.real,
                 "Transform real numbers to the half of their spectrum that says all; with --inverse, back")
      ->disable_flag_override();
  parser
      ->add_option("-n,--size", selection.size,
                   "With --real --inverse: how many real numbers there are, 2 (m - 1) for m of the spectrum if not "
                   "given, or 2 m - 1")
      ->check(check_given);
  parser
      ->add_flag("--halves", selection.halves,
                 "FILE and the results are float16 with a last axis of 2: real and imaginary parts")
      ->disable_flag_override();
  CLI::Option* const axis =
      parser->add_option("--axis", flags->axis, "The axis to transform along; negative ones count from the end")
          ->check(check_given)
          ->capture_default_str();
  CLI::Option* const axes =
      parser
          ->add_option("--axes", flags->axes, "Several axes, as --axes=-2,-1; with --real the last one named is halved")
          ->delimiter(',')
          ->check(check_given)
          ->excludes(axis);
  parser->add_flag("--2d", flags->in_two_dimensions, "In two dimensions: along the last two axes")
      ->disable_flag_override()
      ->excludes(axis)
      ->excludes(axes);
  parser->add_option("--norm", flags->norm, "Which direction is divided by the number of points, or both by its root")
      ->check(CLI::IsMember({"backward", "ortho", "forward"}))
      ->capture_default_str();
  add_array_options(*parser, *flags);
  parser->footer("Example:\n  crosslane fft samples.npy -o spectrum.npy --norm ortho");
  return {parser, [flags](const Console& console) { return run_fft(*flags, console); }};
}

}  // namespace crosslane::cli
