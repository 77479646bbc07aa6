#include "cli/decide_evidence.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/compiler_search.hpp"
#include "cli/device_choice.hpp"
#include "cli/register_use.hpp"
#include "cli/verification_store.hpp"
#include "compile/probes.hpp"
#include "crosslane/check.hpp"
#include "crosslane/machine.hpp"
#include "device/machine/device.hpp"
#include "job/check_request.hpp"
#include "verify/conformance.hpp"

namespace crosslane::cli {
namespace {

using measure::Evidence;

constexpr std::size_t most_told = 3;

// "3 findings: lane-out-of-range, …"
std::string findings_text(const std::vector<Finding>& findings) {
  std::vector<std::string> ids;
  for (const Finding& finding : findings) {
    if (finding.severity != Severity::note && std::ranges::find(ids, finding.id) == ids.end() &&
        ids.size() < most_told) {
      ids.push_back(finding.id);
    }
  }
  return fmt::format("the checker finds {}", fmt::join(ids, ", "));
}

bool clean(const std::vector<Finding>& findings) {
  return std::ranges::all_of(findings, [](const Finding& finding) { return finding.severity == Severity::note; });
}

// The algorithm by shuffles on the wave machine, with waves of the device's size, watched by the sanitizers.
Evidence own_lane_reads(const measure::MeasuredAlgorithm& algorithm, measure::WorkloadOptions options,
                        std::uint32_t wave_size) {
  constexpr std::uint64_t elements = 20000;  // many groups, the last one not full
  options.count = elements;
  options.wave_size.reset();
  const auto device = machine::create_device(wave_size);
  if (!device) {
    return {std::nullopt, device.error().message, {}, ""};
  }
  const auto workload = algorithm.make(**device, options);
  if (!workload) {
    return {std::nullopt, workload.error().message, {}, ""};
  }
  const auto watching = DeviceCheck::begin(**device, Rules::vulkan);
  if (!watching) {
    return {std::nullopt, watching.error().message, {}, ""};
  }
  const auto fault = workload->make(Method::shuffle).and_then([&](const measure::Work& work) {
    return measure::verify_work(**device, work);
  });
  if (!fault) {
    return {std::nullopt, fault.error().message, {}, ""};
  }
  const auto findings = (*watching)->report().findings;
  if (!clean(findings)) {
    return {false, findings_text(findings), {}, ""};
  }
  return {fault->empty(),
          fault->empty() ? fmt::format("the checker finds nothing in the kernels with waves of {} lanes", wave_size)
                         : *fault,
          {},
          ""};
}

Expected<CheckReport> check_one(const ShaderJob& one, std::uint32_t wave_size) {
  std::vector<std::string> notes;  // `bench` has told them
  return job::check_request(one.shader, one.reflection, one.job, {}, notes).and_then([&](const CheckRequest& request) {
    return check(request, {.wave_sizes = {wave_size},
                           .rules = one.language == job::Language::hlsl ? Rules::d3d12 : Rules::vulkan});
  });
}

// Where B reads lanes that are not there: the remedy is the library's checked shuffles.
Evidence pair_lane_reads(const PairFlags& flags, const ShaderPair& pair, const DeviceInfo& device) {
  const std::uint32_t wave_size = device.wave_sizes.standard;
  const auto report = check_one(*pair.b, wave_size);
  if (!report) {
    return {std::nullopt, "the checker cannot run it: " + report.error().message, {}, ""};
  }
  if (report->clean()) {
    return {true, fmt::format("the checker finds nothing in B with waves of {} lanes", wave_size), {}, ""};
  }
  Evidence evidence{false, findings_text(report->findings), false, ""};
  std::vector<std::string> notes;
  const auto checked = load_pair_shader(flags, flags.b, device, notes, {"CROSSLANE_CHECKED=1"});
  const auto again = checked ? check_one(*checked, wave_size) : tl::unexpected<Error>(checked.error());
  evidence.mended = again && again->clean();
  evidence.remedy =
      *evidence.mended
          ? "with CROSSLANE_CHECKED defined, which adds bounds to the library's shuffles, it is clean: define it"
          : "defining CROSSLANE_CHECKED does not help: add bounds to what the findings name ('crosslane check')";
  return evidence;
}

Evidence compiler_evidence(const ShaderJob& one) {
  if (one.language != job::Language::hlsl) {
    return {true, "B needs no compiler of HLSL", {}, ""};
  }
  const auto compiler = compile::find_compiler(compiler_places());
  if (!compiler) {
    return {false, compiler.error().message, {}, ""};
  }
  const compile::CompilerReport report = compile::examine(**compiler);
  return {report.fit(), fmt::format("DXC {}: {}", report.version, report.standing), {}, ""};
}

Evidence results_evidence(const measure::Benchmark& benchmark) {
  for (const measure::Measured& row : benchmark.methods) {
    if (!row.fault.empty()) {
      return {false, fmt::format("{}: {}", row.name, row.fault), {}, ""};
    }
  }
  return {true, "verified before they were timed", {}, ""};
}

void add_gain(const measure::Benchmark& benchmark, const DeviceInfo& device, measure::DecisionFacts& facts) {
  facts.results = results_evidence(benchmark);
  facts.gain = measure::gain_of(benchmark);
  facts.rounds = benchmark.methods.empty() ? 0 : benchmark.methods.front().times_ms.size();
  facts.default_method = name(default_method(device.wave_sizes.standard));
}

// The kernels of the algorithm by shuffles, as its driver compiled them.
Evidence own_registers(Device& device, const measure::MeasuredAlgorithm& algorithm, const MeasureFlags& flags) {
  constexpr std::uint64_t few = 1024;
  PipelineSpy spy(device);
  auto options = flags.workload(&algorithm);
  options.count = few;
  options.hot = true;
  const auto uses = algorithm.make(spy, options)
                        .and_then([&](const measure::Workload& workload) { return workload.make(Method::shuffle); })
                        .and_then([&](const measure::Work&) { return spy.ask(); });
  return uses ? register_evidence(*uses) : Evidence{std::nullopt, uses.error().message, {}, ""};
}

Evidence pair_registers(Device& device, const ShaderJob& one) {
  PipelineDescription description;
  description.spirv = one.shader.words;
  description.entry_point = one.shader.entry_point;
  description.wave_size = one.wave_size;
  description.name = "B";
  const auto statistics = vulkan::pipeline_statistics(device, description);
  return statistics ? register_evidence({register_use("B", device.info().vendor, *statistics)})
                    : Evidence{std::nullopt, statistics.error().message, {}, ""};
}

measure::BenchmarkOptions two_methods(const MeasureFlags& flags) {
  measure::BenchmarkOptions options;
  options.methods = {Method::groupshared, Method::shuffle};
  options.rounds = flags.rounds();
  options.bandwidth = false;
  return options;
}

}  // namespace

Evidence wave_size_evidence(Device& device, const Console& console) {
  const DeviceInfo& info = device.info();
  const std::string size = fmt::format("{} lanes", info.wave_sizes.standard);
  if (info.kind == DeviceKind::machine) {
    return {true, size + ", which the wave machine runs as asked", {}, ""};
  }
  const VerificationStore store(VerificationStore::default_file());
  auto broken = store.broken_promises(info);
  if (!broken && info.kind == DeviceKind::gpu) {
    report_progress(console, fmt::format("verifying {} ({}), once per version of its driver …", info.id, info.name));
    if (const auto report = verify(device)) {
      broken = broken_promises(*report);
      store.remember(info, *broken);
    }
  }
  if (!broken) {
    return {std::nullopt, size + " by the driver's word; 'crosslane devices --verify' looks", {}, ""};
  }
  if (broken->empty()) {
    return {true, size + ", and the driver keeps its promises", {}, ""};
  }
  return {false, fmt::format("{} by the driver's word, and it breaks the promises {}", size, fmt::join(*broken, ", ")),
          false,
          info.features.wave_size_control ? "another size can be asked for: '--wave-size' of the verbs that run"
                                          : "no other size can be asked for"};
}

Expected<measure::DecisionFacts> gather_facts(Device& device, const measure::MeasuredAlgorithm& algorithm,
                                              const MeasureFlags& flags, const Console& console,
                                              measure::Benchmark& benchmark) {
  measure::DecisionFacts facts;
  facts.wave_size = wave_size_evidence(device, console);
  report_progress(console, fmt::format("checking {} …", algorithm.name));
  facts.lane_reads = own_lane_reads(algorithm, flags.workload(&algorithm), device.info().wave_sizes.standard);
  facts.compiler = {true, "the kernels were compiled and validated when Crosslane was built", {}, ""};
  facts.registers = own_registers(device, algorithm, flags);
  report_progress(console, fmt::format("measuring {} on {} …", algorithm.name, device.info().id));
  auto measured = algorithm.make(device, flags.workload(&algorithm)).and_then([&](const measure::Workload& workload) {
    return measure::run_benchmark(device, workload, two_methods(flags));
  });
  if (!measured) {
    return tl::unexpected(std::move(measured.error()));
  }
  benchmark = *std::move(measured);
  add_gain(benchmark, device.info(), facts);
  return facts;
}

Expected<measure::DecisionFacts> gather_facts(Device& device, const PairFlags& pair_flags, const MeasureFlags& flags,
                                              const Console& console, measure::Benchmark& benchmark) {
  measure::DecisionFacts facts;
  facts.wave_size = wave_size_evidence(device, console);
  auto pair = load_shader_pair(pair_flags, device, flags.hot, {});
  if (!pair) {
    return tl::unexpected(std::move(pair.error()));
  }
  facts.lane_reads = pair_lane_reads(pair_flags, *pair, device.info());
  facts.compiler = compiler_evidence(*pair->b);
  facts.registers = pair_registers(device, *pair->b);
  auto measured = measure::run_benchmark(device, pair->workload, two_methods(flags));
  if (!measured) {
    return tl::unexpected(std::move(measured.error()));
  }
  benchmark = *std::move(measured);
  add_gain(benchmark, device.info(), facts);
  name_pair(pair_flags, benchmark);
  return facts;
}

}  // namespace crosslane::cli
