#include "cli/shader_pair.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/compiler_search.hpp"
#include "cli/flag_checks.hpp"
#include "job/compare.hpp"
#include "job/execute.hpp"
#include "job/fit.hpp"

namespace crosslane::cli {
namespace {

constexpr std::uint64_t float_ulps = 64;

// What a first run on fresh data shows; the job's buffers then hold what came out.
Expected<std::string> first_run(Device& device, const ShaderJob& one, job::Job& results,
                                std::optional<std::uint32_t> wave_size) {
  results = one.job;
  return job::execute(device, one.shader, results, {.wave_size = wave_size}).map([](const job::Execution& execution) {
    const auto failed =
        std::ranges::find_if(execution.verdicts, [](const auto& judged) { return !judged.verdict.holds; });
    return failed == execution.verdicts.end() ? std::string()
                                              : fmt::format("the job's result '{}' does not hold", failed->result.name);
  });
}

std::string difference(const job::Job& a, const job::Job& b) {
  for (const job::Resource& resource : a.resources) {
    const job::JobBuffer* const left = a.find(resource.buffer);
    const job::JobBuffer* const right = b.find(resource.buffer);
    if (!job::is_writable(resource.kind) || left == nullptr || right == nullptr) {
      continue;
    }
    job::ExpectedResult rule;
    rule.rule = job::is_float(left->format) ? job::Rule::ulp : job::Rule::exact;
    rule.ulps = float_ulps;
    const job::Verdict verdict = job::compare(rule, *right, *left);
    if (!verdict.holds) {
      return fmt::format("{} of {} numbers of '{}' differ from A's", verdict.differing, verdict.compared,
                         resource.buffer);
    }
  }
  return "";
}

// Copies of the job on the device, one for each set.
Expected<measure::Work> prepare(Device& device, const std::shared_ptr<ShaderJob>& one, std::size_t sets,
                                std::optional<std::uint32_t> wave_size, const std::string& fault) {
  const auto copies = std::make_shared<std::vector<job::PreparedJob>>();
  for (std::size_t set = 0; set < sets; ++set) {
    auto prepared = job::PreparedJob::create(device, one->shader, one->job, {.wave_size = wave_size});
    if (!prepared) {
      return tl::unexpected(std::move(prepared.error()));
    }
    copies->push_back(*std::move(prepared));
  }
  measure::Work work;
  work.record = [one, copies](CommandList& list, std::size_t set) { return copies->at(set).record(list); };
  work.fault = [fault](std::size_t) { return Expected<std::string>(fault); };
  return work;
}

std::size_t sets_of(Device& device, const ShaderJob& one, bool hot) {
  constexpr std::uint64_t beyond_caches = std::uint64_t{1} << 28U;
  constexpr std::uint64_t most = 64;
  std::uint64_t bytes = 1;
  for (const job::JobBuffer& buffer : one.job.buffers) {
    bytes += buffer.bytes() * buffer.elements.size();
  }
  if (hot || device.info().kind != DeviceKind::gpu) {
    return 1;
  }
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(beyond_caches / bytes, 2, most));
}

// Compiles one of them for its job; `further` are macros beside those of the flags.
Expected<ShaderJob> load_pair_shader(const PairFlags& flags, const std::string& shader, const DeviceInfo& device,
                                     std::vector<std::string>& notes, const std::vector<std::string>& further = {}) {
  ShaderFlags one;
  one.shader = shader;
  one.job = flags.job;
  one.profile = flags.profile;
  one.defines = flags.defines;
  one.defines.insert(one.defines.end(), further.begin(), further.end());
  one.include_directories = flags.include_directories;
  auto files = read_shader_files(one);
  if (!files) {
    return tl::unexpected(std::move(files.error()));
  }
  auto jobs = load_shader_jobs(one, *std::move(files), device, find_compiler_when_needed());
  if (!jobs) {
    return tl::unexpected(std::move(jobs.error()));
  }
  if (jobs->jobs.size() != 1) {
    return fail(ErrorCode::unsupported,
                fmt::format("'{}' cannot be compared: {}", shader,
                            jobs->skipped.value_or(fmt::format("it has {} jobs, not one", jobs->jobs.size()))));
  }
  notes.insert(notes.end(), jobs->notes.begin(), jobs->notes.end());
  return std::move(jobs->jobs.front());
}

}  // namespace

void add_pair_flags(CLI::App& parser, PairFlags& flags) {
  parser.add_option("--a", flags.a, "A shader of yours, to be compared with another one")->check(check_given);
  parser.add_option("--b", flags.b, "The other one, for the same job")->check(check_given);
  parser.add_option("--job", flags.job, "The job of both: what to dispatch, on which buffers")->check(check_given);
  parser.add_option("--profile", flags.profile, "Shader model of their HLSL; cs_6_6 if not given")->check(check_given);
  add_list_flag(parser, "--define", flags.defines, "NAME=VALUE: a macro of both");
  add_list_flag(parser, "--include", flags.include_directories, "A folder where #include looks");
}

Expected<void> check_pair(const PairFlags& flags) {
  if (!flags.given() || (!flags.a.empty() && !flags.b.empty() && !flags.job.empty())) {
    return {};
  }
  return fail(ErrorCode::invalid_argument,
              fmt::format("two shaders are compared with --a, --b and --job together: {} is missing",
                          flags.a.empty()   ? "--a"
                          : flags.b.empty() ? "--b"
                                            : "--job"));
}

Expected<ShaderPair> load_shader_pair(const PairFlags& flags, Device& device, bool hot,
                                      std::optional<std::uint32_t> wave_size, const std::vector<std::string>& further) {
  ShaderPair pair;
  auto a = load_pair_shader(flags, flags.a, device.info(), pair.notes);
  auto b = a ? load_pair_shader(flags, flags.b, device.info(), pair.notes, further) : tl::unexpected<Error>(a.error());
  if (!b) {
    return tl::unexpected(std::move(b.error()));
  }
  pair.a = std::make_shared<ShaderJob>(*std::move(a));
  pair.b = std::make_shared<ShaderJob>(*std::move(b));
  job::Job from_a;
  job::Job from_b;
  const auto fault_a = first_run(device, *pair.a, from_a, wave_size);
  const auto fault_b = fault_a ? first_run(device, *pair.b, from_b, wave_size) : fault_a;
  if (!fault_b) {
    return tl::unexpected(fault_b.error());
  }
  const std::string differs = fault_b->empty() ? difference(from_a, from_b) : *fault_b;
  const std::size_t sets = sets_of(device, *pair.a, hot);
  pair.workload.algorithm = "pair";
  pair.workload.title = fmt::format("'{}' against '{}'", std::filesystem::path(flags.a).filename().string(),
                                    std::filesystem::path(flags.b).filename().string());
  pair.workload.methods = {Method::groupshared, Method::shuffle};
  pair.workload.sets = sets;
  pair.workload.make = [&device, a = pair.a, b = pair.b, sets, wave_size, fault_a = *fault_a, differs](Method method) {
    auto work = method == Method::groupshared ? prepare(device, a, sets, wave_size, fault_a)
                                              : prepare(device, b, sets, wave_size, differs);
    return std::move(work).map([&](measure::Work made) {
      made.method = method;
      return made;
    });
  };
  return pair;
}

void name_pair(const PairFlags& flags, measure::Benchmark& benchmark) {
  for (measure::Measured& row : benchmark.methods) {
    const bool is_a = row.name == name(Method::groupshared);
    row.name =
        fmt::format("{}: {}", is_a ? "A" : "B", std::filesystem::path(is_a ? flags.a : flags.b).filename().string());
  }
}

}  // namespace crosslane::cli
