#include <memory>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>

#include "cli/compiler_search.hpp"
#include "cli/console.hpp"
#include "cli/counters_output.hpp"
#include "cli/device_choice.hpp"
#include "cli/loop_limit.hpp"
#include "cli/run_job.hpp"
#include "cli/run_output.hpp"
#include "cli/verb.hpp"
#include "cli/verification_store.hpp"
#include "device/gather.hpp"
#include "device/machine/device.hpp"
#include "machine/counters.hpp"

namespace crosslane::cli {
namespace {

ExitCode run_run(const RunFlags& flags, const Console& console) {
  const job::FindCompiler find_compiler = find_compiler_when_needed();
  machine::Counters counters;
  const auto open_device = [&]() -> Expected<std::unique_ptr<Device>> {
    const VerificationStore store(VerificationStore::default_file());
    auto device = choose_device(gather_devices({.machine_iterations = flags.iterations}), flags.device, store, console);
    if (device && flags.counters) {
      if (auto observed = machine::observe(**device, &counters); !observed) {
        return tl::unexpected(std::move(observed.error()));
      }
    }
    return device;
  };
  const auto report = run_shader(flags, open_device, find_compiler);
  if (!report) {
    return report_error(console, report.error());
  }
  if (console.json) {
    auto json = run_json(flags, *report);
    if (flags.counters) {
      json["counters"] = counters_json(counters.counts());
    }
    console.out << report::dump(json);
  } else {
    console.out << run_text(flags, *report) << (flags.counters ? counters_text(counters.counts()) : "");
  }
  return report->all_hold() ? ExitCode::well : ExitCode::mismatch;
}

}  // namespace

Verb add_run(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand("run", "Run a compute shader on buffers and check its results");
  const auto flags = std::make_shared<RunFlags>();
  add_shader_flags(*parser, *flags);
  parser->add_option("--device", flags->device, "auto, an id as vulkan:0, or a part of the device's name")
      ->capture_default_str();
  parser
      ->add_option("--wave-size", flags->wave_size,
                   "Lanes per wave to ask for; what the shader names, else the device's standard size if not given")
      ->check(CLI::Range(1U, 128U));
  add_list_flag(*parser, "--out", flags->outputs, "NAME=FILE.npy: write what a buffer holds afterwards");
  add_loop_limit(*parser, flags->iterations);
  parser->add_flag("--counters", flags->counters, "Count what the shader does (on the wave machine)");
  parser->add_flag("--json", json_flag_help)->disable_flag_override();
  parser->footer(
      "Examples:\n"
      "  crosslane run blur.hlsl --job blur.yaml\n"
      "  crosslane run sum.comp --groups 64 --in input=samples.npy --size result=4 --out result=sum.npy");
  return {parser, [flags](const Console& console) { return run_run(*flags, console); }};
}

}  // namespace crosslane::cli
