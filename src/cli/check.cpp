#include "crosslane/check.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/check_filter.hpp"
#include "cli/check_output.hpp"
#include "cli/check_sarif.hpp"
#include "cli/compiler_search.hpp"
#include "cli/console.hpp"
#include "cli/flag_checks.hpp"
#include "cli/loop_limit.hpp"
#include "cli/progress.hpp"
#include "cli/shader_jobs.hpp"
#include "cli/verb.hpp"
#include "cli/whole_file.hpp"
#include "compile/read_source.hpp"
#include "crosslane/machine.hpp"
#include "job/check_request.hpp"
#include "job/requirements.hpp"

namespace crosslane::cli {
namespace {

struct CheckFlags : ShaderFlags {
  std::vector<std::uint32_t> wave_sizes;
  std::string rules;  ///< empty: those of the source
  job::OutputFlags outputs;
  CheckFilter filter;
  std::optional<std::string> sarif;  ///< a file
  std::vector<std::uint32_t> lying_sizes;
  std::uint32_t jobs = 0;
  std::uint64_t iterations = CheckOptions{}.most_iterations;
};

// Leaves out wave sizes with which a .test file says that it does not run.
Expected<void> keep_required_sizes(const CheckFlags& flags, const std::optional<job::TestFile>& test,
                                   std::vector<std::uint32_t>& sizes, CheckOutcome& outcome) {
  std::vector<std::uint32_t> kept;
  for (const auto size : sizes) {
    const auto fitness = test ? job::examine(*test, flags.shader, machine::describe_device(size), size)
                              : Expected<job::Fitness>(job::Fitness{});
    if (!fitness) {
      return tl::unexpected(fitness.error());
    }
    if (!fitness->skipped) {
      kept.push_back(size);
    }
  }
  if (kept.empty()) {
    return fail(ErrorCode::unsupported,
                fmt::format("'{}' does not run with waves of {} lanes", flags.shader, fmt::join(sizes, ", ")));
  }
  if (kept.size() < sizes.size()) {
    outcome.notes.push_back(
        fmt::format("the file asks for other wave sizes than those of {} to be left out", fmt::join(kept, ", ")));
  }
  sizes = std::move(kept);
  return {};
}

// The sizes to check at: those asked for, of them what the shader's [WaveSize] allows.
Expected<std::vector<std::uint32_t>> wave_sizes(const CheckFlags& flags, const ShaderJob& one, CheckOutcome& outcome) {
  auto sizes = flags.wave_sizes.empty() ? CheckOptions{}.wave_sizes : flags.wave_sizes;
  const auto& allowed = one.shader.wave_size;
  if (!allowed) {
    return sizes;
  }
  const auto left_out =
      std::erase_if(sizes, [&](std::uint32_t size) { return size < allowed->minimum || size > allowed->maximum; });
  if (sizes.empty() && flags.wave_sizes.empty()) {
    sizes = {allowed->minimum};
  }
  if (sizes.empty()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--wave-sizes {}: the shader's [WaveSize] allows {} to {} alone",
                            fmt::join(flags.wave_sizes, ","), allowed->minimum, allowed->maximum));
  }
  if (left_out != 0) {
    outcome.notes.push_back(fmt::format("the shader's [WaveSize] allows {} to {}: other sizes were left out",
                                        allowed->minimum, allowed->maximum));
  }
  return sizes;
}

Rules rules_for(const CheckFlags& flags, job::Language language) {
  if (!flags.rules.empty()) {
    return flags.rules == "d3d12" ? Rules::d3d12 : Rules::vulkan;
  }
  return language == job::Language::hlsl ? Rules::d3d12 : Rules::vulkan;
}

// Lines that the module does not hold, from the files that it names.
class SourceFiles {
 public:
  void complete(FindingLocation& location) {
    if (location.line == 0 || !location.text.empty()) {
      return;
    }
    const auto& lines = read(location.file);
    if (location.line <= lines.size()) {
      const auto& line = lines[location.line - 1];
      const auto first = line.find_first_not_of(" \t\r");
      const auto last = line.find_last_not_of(" \t\r");
      location.text = first == std::string::npos ? "" : line.substr(first, last - first + 1);
    }
  }

 private:
  const std::vector<std::string>& read(const std::string& file) {
    const auto [found, is_new] = lines_.try_emplace(file);
    std::error_code error;
    if (is_new && std::filesystem::is_regular_file(file, error)) {
      std::istringstream text(compile::read_source(file).value_or(""));
      for (std::string line; std::getline(text, line);) {
        found->second.push_back(line);
      }
    }
    return found->second;
  }

  std::map<std::string, std::vector<std::string>> lines_;
};

Expected<CheckOutcome> check_shader(const CheckFlags& flags, const job::FindCompiler& find_compiler,
                                    const Console& console) {
  auto files = read_shader_files(flags);
  if (!files) {
    return tl::unexpected(std::move(files.error()));
  }
  const auto test = files->test;
  auto jobs = load_shader_jobs(flags, *std::move(files), machine::describe_device(), find_compiler);
  if (!jobs) {
    return tl::unexpected(std::move(jobs.error()));
  }
  if (jobs->jobs.empty()) {
    return fail(ErrorCode::unsupported,
                fmt::format("'{}' was not checked: {}", flags.shader, jobs->skipped.value_or("it has no job")));
  }
  CheckOutcome outcome{flags.shader, {}, std::move(jobs->notes)};
  SourceFiles sources;
  for (const auto& one : jobs->jobs) {
    auto sizes = wave_sizes(flags, one, outcome);
    if (!sizes) {
      return tl::unexpected(sizes.error());
    }
    if (auto kept = keep_required_sizes(flags, test, *sizes, outcome); !kept) {
      return tl::unexpected(std::move(kept.error()));
    }
    const auto request = job::check_request(one.shader, one.reflection, one.job, flags.outputs, outcome.notes);
    if (!request) {
      return tl::unexpected(request.error());
    }
    outcome.notes.insert(outcome.notes.end(), one.job.notes.begin(), one.job.notes.end());
    std::optional<Progress> progress;
    std::size_t done = 0;
    auto report = check(*request, {.wave_sizes = *sizes,
                                   .rules = rules_for(flags, one.language),
                                   .lying_sizes = flags.lying_sizes,
                                   .most_iterations = flags.iterations,
                                   .jobs = flags.jobs,
                                   .progress = [&](std::size_t now, std::size_t all) {
                                     if (!progress) {
                                       progress.emplace(console, "checking " + flags.shader, all);
                                     }
                                     progress->advance(now - done);
                                     done = now;
                                   }});
    if (!report) {
      return tl::unexpected(std::move(report.error()));
    }
    for (auto& finding : report->findings) {
      std::ranges::for_each(finding.locations, [&](FindingLocation& location) { sources.complete(location); });
    }
    outcome.reports.push_back(*std::move(report));
  }
  return outcome;
}

ExitCode run_check(const CheckFlags& flags, const Console& console) {
  const job::FindCompiler find_compiler = find_compiler_when_needed();
  if (flags.sarif) {
    if (auto writable = check_sarif_file(*flags.sarif); !writable) {
      return report_error(console, writable.error());
    }
  }
  auto outcome = check_shader(flags, find_compiler, console);
  auto done = outcome ? apply_filter(flags.filter, *outcome) : tl::unexpected<Error>(outcome.error());
  if (done && flags.sarif) {
    done = write_whole(*flags.sarif, report::dump(check_sarif(*outcome)), sarif_files);
  }
  if (!done) {
    return report_error(console, done.error());
  }
  console.out << (console.json ? report::dump(check_json(*outcome)) : check_text(*outcome, console.color));
  return outcome->clean() ? ExitCode::well : ExitCode::mismatch;
}

}  // namespace

Verb add_check(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand(
      "check", "Find what is wrong with a compute shader, on the wave machine at many wave sizes");
  const auto flags = std::make_shared<CheckFlags>();
  flags->makes_up = true;
  add_shader_flags(*parser, *flags);
  parser->add_option("--wave-sizes", flags->wave_sizes, "Lanes per wave to check at; 4,8,16,32,64,128 if not given")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1U, 128U));
  parser->add_option("--rules", flags->rules, "Whose rules count: d3d12 or vulkan; HLSL's are d3d12 if not given")
      ->check(CLI::IsMember({"d3d12", "vulkan"}));
  add_list_flag(*parser, "--unordered", flags->outputs.unordered, "A buffer whose numbers may come in any order");
  add_list_flag(*parser, "--may-vary", flags->outputs.may_vary, "A buffer that is meant to depend on the wave size");
  add_list_flag(*parser, "--suppress", flags->filter.suppressed, "ID or ID:LINE: findings to leave out");
  parser->add_option("--baseline", flags->filter.baseline, "A file of an earlier --json, whose findings are left out")
      ->check(check_named);
  parser->add_option("--sarif", flags->sarif, "A file to write the findings to as SARIF 2.1.0");
  parser
      ->add_option(
          "--lying-size", flags->lying_sizes,
          "Also run as on devices that report so many lanes per wave and have others; right shaders may fail that")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1U, 128U));
  parser->add_option("--jobs", flags->jobs, "Runs at a time; as many as there are cores if not given")
      ->check(CLI::Range(1U, 1024U));
  add_loop_limit(*parser, flags->iterations);
  parser->add_flag("--json", json_flag_help)->disable_flag_override();
  parser->footer(
      "Exit code 0: clean, notes at most; 1: errors or warnings were found.\n"
      "Examples:\n"
      "  crosslane check blur.hlsl --job blur.yaml\n"
      "  crosslane check sum.comp --groups 64 --in input=samples.npy --size result=4 --wave-sizes 8,32");
  return {parser, [flags](const Console& console) { return run_check(*flags, console); }};
}

}  // namespace crosslane::cli
