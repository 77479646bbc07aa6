#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/bench_baseline.hpp"
#include "cli/bench_output.hpp"
#include "cli/bench_run.hpp"
#include "cli/console.hpp"
#include "cli/flag_checks.hpp"
#include "cli/flag_effects.hpp"
#include "cli/percent.hpp"
#include "cli/verb.hpp"

namespace crosslane::cli {
namespace {

struct BenchCommand : BenchFlags {
  std::string baseline;
  std::string tolerance = "5%";
};

// Its rows are the times of methods: nothing else may be lost without a word.
Expected<void> check_csv(const BenchCommand& flags) {
  std::string_view lost;
  if (flags.what == "exchange") {
    lost = "exchanges";
  } else if (flags.counts) {
    lost = "--counts";
  } else if (!flags.baseline.empty()) {
    lost = "--baseline";
  }
  if (flags.csv && !lost.empty()) {
    return fail(ErrorCode::invalid_argument, fmt::format("--csv has no place for {}: use --json", lost));
  }
  return {};
}

Expected<void> check_flags(const CLI::App& parser, const BenchCommand& flags) {
  if (flags.baseline.empty()) {
    if (auto sensible = check_effects(parser, {"--tolerance"}, "without --baseline"); !sensible) {
      return sensible;
    }
  }
  if (flags.pair.given()) {
    return check_effects(parser, {"WHAT", "--sizes", "--method", "--counts"}, "beside --a and --b").and_then([&] {
      return check_measure_flags(parser, flags.measure, flags.what, flags.pair);
    });
  }
  if (flags.what == "exchange") {
    if (auto sensible = check_effects(
            parser,
            {"--size", "--sizes", "--type", "--method", "--hot", "--cold", "--wave-sizes", "--counts", "--baseline"},
            "beside exchange");
        !sensible) {
      return sensible;
    }
  }
  return check_measure_flags(parser, flags.measure, flags.what, flags.pair);
}

ExitCode run_bench_command(const CLI::App& parser, const BenchCommand& flags, const Console& console) {
  const Expected<double> tolerance = parse_percent("--tolerance", flags.tolerance);
  std::vector<BaselineRow> baseline;
  auto ready = tolerance.and_then([&](double) { return check_pair(flags.pair); })
                   .and_then([&] { return check_flags(parser, flags); })
                   .and_then([&] { return check_csv(flags); });
  if (ready && !flags.baseline.empty()) {
    ready = read_baseline(flags.baseline).map([&](std::vector<BaselineRow> rows) { baseline = std::move(rows); });
  }
  const auto report = ready ? run_bench(flags, console) : Expected<BenchReport>(tl::unexpected<Error>(ready.error()));
  if (!report) {
    return report_error(console, report.error());
  }
  const auto comparisons = compare_with(baseline, *report, *tolerance);
  if (!flags.baseline.empty() && comparisons.empty()) {
    return report_error(console, Error{ErrorCode::invalid_input,
                                       "--baseline " + flags.baseline +
                                           ": holds none of what was measured: save one with the same flags on the "
                                           "same device"});
  }
  if (console.json) {
    console.out << report::dump(bench_json(*report, comparisons));
  } else {
    console.out << (flags.csv ? bench_csv(*report) : bench_text(*report, comparisons));
  }
  const bool slower = std::ranges::any_of(comparisons, [](const auto& one) { return one.regression; });
  return report->right() && !slower ? ExitCode::well : ExitCode::mismatch;
}

}  // namespace

Verb add_bench(CLI::App& program) {
  CLI::App* const parser =
      program.add_subcommand("bench", "Measure the algorithms by every method, or two shaders of yours");
  const auto flags = std::make_shared<BenchCommand>();
  std::vector<std::string> names = {"exchange", "all"};
  for (const auto& algorithm : measure::measured_algorithms()) {
    names.emplace_back(algorithm.name);
  }
  parser->add_option("WHAT", flags->what, "An algorithm, or exchange: how long a neighbour's value takes")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  parser->add_option("--method", flags->method, "The method to measure")
      ->check(CLI::IsMember({"groupshared", "shuffle", "wave_intrinsics", "all"}))
      ->capture_default_str();
  add_measure_flags(*parser, flags->measure);
  add_sizes_flag(*parser, flags->measure);
  parser->add_option("--wave-sizes", flags->wave_sizes, "Lanes per wave to measure at, where the device has a choice")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1U, 128U));
  parser->add_flag("--counts", flags->counts, "Count instructions, accesses and barriers on the wave machine too");
  add_pair_flags(*parser, flags->pair);
  parser->add_option("--baseline", flags->baseline, "What --json gave before, to compare with")->check(check_named);
  parser->add_option("--tolerance", flags->tolerance, "How much slower than the baseline is no regression")
      ->capture_default_str();
  auto* const csv = parser->add_flag("--csv", flags->csv, "Print comma-separated values");
  parser->add_flag("--json", json_flag_help)->disable_flag_override()->excludes(csv);
  parser->footer(
      "Exit code 1: results were wrong, or slower than the baseline.\n"
      "Examples:\n"
      "  crosslane bench\n"
      "  crosslane bench reduce --size 268435456 --json > before.json\n"
      "  crosslane bench reduce --size 268435456 --baseline before.json\n"
      "  crosslane bench --a tiled.hlsl --b shuffled.hlsl --job blur.yaml");
  return {parser, [flags, parser](const Console& console) { return run_bench_command(*parser, *flags, console); }};
}

}  // namespace crosslane::cli
