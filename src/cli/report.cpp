#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/bench_output.hpp"
#include "cli/bench_run.hpp"
#include "cli/console.hpp"
#include "cli/decide.hpp"
#include "cli/output_file.hpp"
#include "cli/report_files.hpp"
#include "cli/verb.hpp"
#include "cli/whole_file.hpp"
#include "report/page.hpp"
#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

constexpr FileKind report_files = {"reports", "an .html, .md or .json file"};

struct ReportFlags {
  std::vector<std::string> files;
  MeasureFlags measure;
  std::string output;  ///< empty: standard output
  std::string format;  ///< empty: as the output is called, else html
  bool force = false;
};

/// What the report is made from.
struct Material {
  report::Json document;
  bool right = true;  ///< every result that was measured here
};

std::string format_of(const ReportFlags& flags, const Console& console) {
  if (console.json) {
    return "json";
  }
  if (!flags.format.empty()) {
    return flags.format;
  }
  const std::string ending = std::filesystem::path(flags.output).extension();
  return ending == ".md" || ending == ".json" ? ending.substr(1) : "html";
}

Expected<Material> measure(const MeasureFlags& flags, const Console& console) {
  BenchFlags bench;
  bench.measure = flags;
  bench.counts = true;
  bench.scaling = true;
  const auto benched = run_bench(bench, console);
  if (!benched) {
    return tl::unexpected(benched.error());
  }
  MeasureFlags one_size = flags;
  if (!flags.sizes.empty()) {
    one_size.size = flags.sizes.back();
  }
  return decide_document(one_size, console).map([&](const report::Json& decided) {
    return Material{report::merge_documents({bench_json(*benched, {}), decided}), benched->right()};
  });
}

std::string rendered(const report::Json& document, const report::Measurements& measurements,
                     const std::string& format) {
  if (format == "json") {
    return report::dump(document);
  }
  const report::Page page = report::page_of(measurements);
  return format == "md" ? report::markdown(page) : report::html(page);
}

ExitCode run_report(const CLI::App& parser, const ReportFlags& flags, const Console& console, bool to_file) {
  if (const auto sensible = check_times(parser, flags.measure); !sensible) {
    return report_error(console, sensible.error());
  }
  if (to_file && flags.output == "-") {
    return report_error(console, Error{ErrorCode::invalid_argument,
                                       "-o -: leave -o out to write to standard output (./- for a file called -)"});
  }
  if (to_file) {
    // Measuring takes long: what cannot be written is told before.
    if (const auto writable = check_output(flags.output, flags.force, report_files); !writable) {
      return report_error(console, writable.error());
    }
  }
  const auto material =
      flags.files.empty()
          ? measure(flags.measure, console)
          : read_report_files(flags.files).map([](report::Json document) { return Material{std::move(document)}; });
  if (!material) {
    return report_error(console, material.error());
  }
  const auto measurements = report::read_measurements(material->document, "what was measured");
  if (!measurements) {
    return report_error(console, measurements.error());
  }
  const std::string text = rendered(material->document, *measurements, format_of(flags, console));
  if (!to_file) {
    console.out << text;
  } else if (const auto written = write_whole(flags.output, text, report_files); !written) {
    return report_error(console, written.error());
  } else {
    console.out << fmt::format("{}: runs: {}, decisions: {}, devices: {}\n", report::printable(flags.output),
                               measurements->runs.size(), measurements->decisions.size(), measurements->devices.size());
  }
  return material->right ? ExitCode::well : ExitCode::mismatch;
}

}  // namespace

Verb add_report(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand(
      "report", "Put what bench and decide found on one page, for one device or several side by side");
  const auto flags = std::make_shared<ReportFlags>();
  auto* const files = parser->add_option("FILES", flags->files,
                                         "What bench, decide or report printed with --json; without, both run here");
  add_measure_flags(*parser, flags->measure);
  add_sizes_flag(*parser, flags->measure);
  for (const char* const name : {"--size", "--sizes", "--type", "--points", "--device", "--hot", "--cold", "--min-time",
                                 "--max-time", "--iterations"}) {
    parser->get_option(name)->excludes(files);
  }
  auto* const output = parser->add_option("-o,--output", flags->output, "The file; standard output if not given");
  auto* const format =
      parser->add_option("--format", flags->format, "html, md or json; as the file's ending says, else html")
          ->check(CLI::IsMember({"html", "md", "json"}));
  parser->add_flag("--force", flags->force, "Overwrite a file that is there already")->needs(output);
  parser->add_flag("--json", json_flag_help)->disable_flag_override()->excludes(output)->excludes(format);
  parser->footer(
      "The page loads nothing from anywhere. Decisions made here are not stored.\n"
      "Exit code 1: results that were measured here were wrong.\n"
      "Examples:\n"
      "  crosslane report -o report.html\n"
      "  crosslane bench --counts --json > bench.json\n"
      "  crosslane decide --json > decide.json\n"
      "  crosslane report bench.json decide.json -o report.html");
  return {parser, [flags, output, parser](const Console& console) {
            return run_report(*parser, *flags, console, !output->empty());
          }};
}

}  // namespace crosslane::cli
