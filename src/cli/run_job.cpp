#include "cli/run_job.hpp"

#include <algorithm>
#include <utility>

#include "cli/run_arrays.hpp"

namespace crosslane::cli {
namespace {

Expected<void> run_one(Device& device, ShaderJob one, const RunFlags& flags, RunReport& report) {
  auto execution = job::execute(device, one.shader, one.job, {.wave_size = one.wave_size});
  if (!execution) {
    return tl::unexpected(std::move(execution.error()));
  }
  auto written = write_outputs(flags, one.reflection, one.shader.registers, one.job);
  if (!written) {
    return tl::unexpected(std::move(written.error()));
  }
  report.notes.insert(report.notes.end(), one.job.notes.begin(), one.job.notes.end());
  report.runs.push_back({one.shader.entry_point, std::move(one.job), *std::move(execution), *std::move(written)});
  return {};
}

}  // namespace

bool RunReport::all_hold() const {
  return std::ranges::all_of(runs, [](const RunOutcome& run) { return run.execution.all_hold(); });
}

Expected<RunReport> run_shader(const RunFlags& flags, const OpenDevice& open_device,
                               const job::FindCompiler& find_compiler) {
  auto files = read_shader_files(flags);
  if (!files) {
    return tl::unexpected(std::move(files.error()));
  }
  const auto device = open_device();
  if (!device) {
    return tl::unexpected(device.error());
  }
  auto jobs = load_shader_jobs(flags, *std::move(files), (*device)->info(), find_compiler);
  if (!jobs) {
    return tl::unexpected(std::move(jobs.error()));
  }
  RunReport report;
  report.device = (*device)->info();
  report.notes = std::move(jobs->notes);
  report.skipped = std::move(jobs->skipped);
  for (auto& one : jobs->jobs) {
    if (auto done = run_one(**device, std::move(one), flags, report); !done) {
      return tl::unexpected(std::move(done.error()));
    }
  }
  return report;
}

}  // namespace crosslane::cli
