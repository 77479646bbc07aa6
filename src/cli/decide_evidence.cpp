#include "cli/decide_evidence.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/compiler_search.hpp"
#include "cli/decide_remedies.hpp"
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

Evidence not_told(const Error& error) { return {std::nullopt, error.message, {}, ""}; }

// The algorithm by shuffles on the wave machine, with waves of the device's size, watched by the sanitizers.
Evidence own_lane_reads(const measure::MeasuredAlgorithm& algorithm, measure::WorkloadOptions options,
                        std::uint32_t wave_size) {
  constexpr std::uint64_t elements = 20000;  // many groups, the last one not full
  options.count = elements;
  options.wave_size.reset();
  const auto device = machine::create_device(wave_size);
  if (!device) {
    return not_told(device.error());
  }
  const auto workload = algorithm.make(**device, options);
  if (!workload) {
    return not_told(workload.error());
  }
  const auto watching = DeviceCheck::begin(**device, Rules::vulkan);
  if (!watching) {
    return not_told(watching.error());
  }
  const auto fault = workload->make(Method::shuffle).and_then([&](const measure::Work& work) {
    return measure::verify_work(**device, work);
  });
  if (!fault) {
    return not_told(fault.error());
  }
  const auto findings = (*watching)->report().findings;
  const char* const nothing_to_try = "the library's kernels have their bounds, and there are no others to try";
  if (!clean(findings)) {
    return {false, findings_text(findings), {}, nothing_to_try};
  }
  if (!fault->empty()) {
    return {false, *fault, {}, nothing_to_try};
  }
  return {true, fmt::format("the checker finds nothing in the kernels with waves of {} lanes", wave_size), {}, ""};
}

Expected<CheckReport> check_one(const ShaderJob& one, std::uint32_t wave_size) {
  std::vector<std::string> notes;  // `bench` has told them
  return job::check_request(one.shader, one.reflection, one.job, {}, notes).and_then([&](const CheckRequest& request) {
    return check(request, {.wave_sizes = {wave_size},
                           .rules = one.language == job::Language::hlsl ? Rules::d3d12 : Rules::vulkan});
  });
}

// Where B reads lanes that are not there: the remedy is the library's checked shuffles, and then B is what they make.
Evidence pair_lane_reads(const PairFlags& flags, ShaderPair& pair, Device& device, const MeasureFlags& measured,
                         std::optional<std::uint32_t> fixed) {
  const std::uint32_t wave_size = fixed.value_or(device.info().wave_sizes.standard);
  const auto report = check_one(*pair.b, wave_size);
  if (!report) {
    return {std::nullopt, "the checker cannot run it: " + report.error().message, {}, ""};
  }
  if (report->clean()) {
    return {true, fmt::format("the checker finds nothing in B with waves of {} lanes", wave_size), {}, ""};
  }
  Evidence evidence{false, findings_text(report->findings), false, ""};
  auto bounded = load_shader_pair(flags, device, measured.hot, fixed, {"CROSSLANE_CHECKED=1"});
  const auto again = bounded ? check_one(*bounded->b, wave_size) : tl::unexpected<Error>(bounded.error());
  evidence.mended = again && again->clean();
  if (*evidence.mended) {
    evidence.remedy =
        "with CROSSLANE_CHECKED defined, which adds bounds to the library's shuffles, it is clean: define it; the "
        "steps behind are about B with it";
    pair = *std::move(bounded);
  } else {
    evidence.remedy =
        "defining CROSSLANE_CHECKED was tried and does not help: add bounds to what the findings name ('crosslane "
        "check')";
  }
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

void add_gain(const measure::Benchmark& benchmark, std::uint32_t wave_size, measure::DecisionFacts& facts) {
  facts.results = results_evidence(benchmark);
  facts.gain = measure::gain_of(benchmark);
  facts.rounds = benchmark.methods.empty() ? 0 : benchmark.methods.front().times_ms.size();
  facts.default_method = name(default_method(wave_size));
}

// The kernels of the algorithm by shuffles, as its driver compiled them.
Evidence own_registers(Device& device, const measure::MeasuredAlgorithm& algorithm, const MeasureFlags& flags,
                       std::optional<std::uint32_t> wave_size) {
  constexpr std::uint64_t few = 1024;
  PipelineSpy spy(device);
  auto options = flags.workload(algorithm, few);
  options.hot = true;
  options.wave_size = wave_size;
  const auto uses = algorithm.make(spy, options)
                        .and_then([&](const measure::Workload& workload) { return workload.make(Method::shuffle); })
                        .and_then([&](const measure::Work&) { return spy.ask(); });
  return uses ? register_evidence(*uses) : not_told(uses.error());
}

Evidence pair_registers(Device& device, const ShaderJob& one, std::optional<std::uint32_t> wave_size) {
  PipelineDescription description;
  description.spirv = one.shader.words;
  description.entry_point = one.shader.entry_point;
  description.wave_size = wave_size ? wave_size : one.wave_size;
  description.name = "B";
  const auto statistics = vulkan::pipeline_statistics(device, description);
  return statistics ? register_evidence({register_use("B", device.info().vendor, *statistics)})
                    : not_told(statistics.error());
}

// At the size that a step before has fixed, else at the device's own, and where that spills at the others.
Evidence registers_evidence(const DeviceInfo& device, std::optional<std::uint32_t>& fixed,
                            const std::function<Evidence(std::optional<std::uint32_t>)>& look, std::string_view split) {
  Evidence evidence = look(fixed);
  if (evidence.passed == std::optional(false) && fixed) {
    evidence.remedy = split;
    return evidence;
  }
  return try_wave_sizes(std::move(evidence), device, look, split, fixed);
}

measure::BenchmarkOptions two_methods(const MeasureFlags& flags, Stages& stages) {
  measure::BenchmarkOptions options;
  options.methods = {Method::groupshared, Method::shuffle};
  options.rounds = flags.rounds();
  options.rounds.progress = [&stages](double fraction) { stages.at(fraction); };
  options.bandwidth = false;
  return options;
}

}  // namespace

Evidence wave_size_evidence(Device& device, Stages& stages, std::optional<std::uint32_t>& fixed) {
  const DeviceInfo& info = device.info();
  const std::string size = fmt::format("{} lanes", info.wave_sizes.standard);
  if (info.kind == DeviceKind::machine) {
    return {true, size + ", which the wave machine runs as asked", {}, ""};
  }
  const VerificationStore store(VerificationStore::default_file());
  const auto known = store.broken_promises(info);
  if (known && known->empty()) {
    return {true, size + ", and the driver keeps its promises", {}, ""};
  }
  if (!known && info.kind != DeviceKind::gpu) {
    return {std::nullopt, size + " by the driver's word; 'crosslane devices --verify' looks", {}, ""};
  }
  // Which sizes the broken promises belong to is not stored.
  stages.begin(fmt::format("verifying {} ({})", info.id, info.name));
  const auto report = verify(device);
  if (!report) {
    return {std::nullopt,
            fmt::format("{} by the driver's word, and verifying failed: {}", size, report.error().message),
            {},
            ""};
  }
  store.remember(info, broken_promises(*report));
  Evidence evidence = promises_at(*report, info.wave_sizes.standard);
  evidence.found = fmt::format("{} by the driver's word; {}", size, evidence.found);
  return try_wave_sizes(
      std::move(evidence), info, [&](std::uint32_t other) { return promises_at(*report, other); },
      "shuffles are not to be trusted here", fixed);
}

Expected<measure::DecisionFacts> gather_facts(Device& device, const measure::MeasuredAlgorithm& algorithm,
                                              const MeasureFlags& flags, const WaveSizeFacts& wave_size, Stages& stages,
                                              DecisionMeasurement& measured) {
  const DeviceInfo& info = device.info();
  measure::DecisionFacts facts;
  facts.wave_size = wave_size.evidence;
  measured.wave_size = wave_size.fixed;
  stages.begin(fmt::format("checking {}", algorithm.name));
  facts.registers = registers_evidence(
      info, measured.wave_size,
      [&](std::optional<std::uint32_t> size) { return own_registers(device, algorithm, flags, size); },
      "the library has no kernel of this type that holds less of the data in a thread");
  const std::uint32_t lanes = measured.wave_size.value_or(info.wave_sizes.standard);
  facts.lane_reads = own_lane_reads(algorithm, flags.workload(algorithm), lanes);
  facts.compiler = {true, "the kernels were compiled and validated when Crosslane was built", {}, ""};
  stages.begin(fmt::format("measuring {} on {}", algorithm.name, info.id));
  auto options = flags.workload(algorithm);
  options.wave_size = measured.wave_size;
  return algorithm.make(device, options)
      .and_then([&](const measure::Workload& workload) {
        return measure::run_benchmark(device, workload, two_methods(flags, stages));
      })
      .map([&](measure::Benchmark benchmark) {
        add_gain(benchmark, lanes, facts);
        measured.benchmark = std::move(benchmark);
        return std::move(facts);
      });
}

Expected<measure::DecisionFacts> gather_facts(Device& device, const PairFlags& pair_flags, const MeasureFlags& flags,
                                              const WaveSizeFacts& wave_size, Stages& stages,
                                              DecisionMeasurement& measured) {
  const DeviceInfo& info = device.info();
  measure::DecisionFacts facts;
  facts.wave_size = wave_size.evidence;
  measured.wave_size = wave_size.fixed;
  stages.begin("checking B");
  auto pair = load_shader_pair(pair_flags, device, flags.hot, measured.wave_size);
  if (!pair) {
    return tl::unexpected(std::move(pair.error()));
  }
  facts.registers = registers_evidence(
      info, measured.wave_size,
      [&](std::optional<std::uint32_t> size) { return pair_registers(device, *pair->b, size); },
      "split the data that a thread of B holds, which nothing but its author can");
  if (measured.wave_size != wave_size.fixed) {
    pair = load_shader_pair(pair_flags, device, flags.hot, measured.wave_size);
    if (!pair) {
      return tl::unexpected(std::move(pair.error()));
    }
  }
  facts.lane_reads = pair_lane_reads(pair_flags, *pair, device, flags, measured.wave_size);
  facts.compiler = compiler_evidence(*pair->b);
  stages.begin(fmt::format("measuring both on {}", info.id));
  return measure::run_benchmark(device, pair->workload, two_methods(flags, stages))
      .map([&](measure::Benchmark benchmark) {
        add_gain(benchmark, measured.wave_size.value_or(info.wave_sizes.standard), facts);
        name_pair(pair_flags, benchmark);
        measured.benchmark = std::move(benchmark);
        return std::move(facts);
      });
}

}  // namespace crosslane::cli
