#include "crosslane/check.hpp"

#include <algorithm>
#include <utility>

#include <spirv/unified1/spirv.hpp11>

#include "base/rounding.hpp"
#include "sanitize/compare_runs.hpp"
#include "sanitize/lane_layout.hpp"
#include "sanitize/merge_findings.hpp"
#include "sanitize/sweep.hpp"
#include "spirv/reflection.hpp"

namespace crosslane {
namespace {

struct Order {
  ScheduleKind schedule = ScheduleKind::rising;
  LaneLayout layout = LaneLayout::linear;
};

// Only orders that differ for this shader: one wave has no other order of waves. What a module asks to reconverge
// maximally meets wherever it can; Direct3D lets the lanes of a wave rely on lockstep.
std::vector<Order> orders(const CheckRequest& request, const std::array<std::uint32_t, 3>& group_size,
                          std::uint32_t wave_size, bool reconverges, bool lockstep) {
  std::vector<Order> all = {{}};
  const auto threads = std::uint64_t{group_size[0]} * group_size[1] * group_size[2];
  if (divide_up(threads, wave_size) > 1) {
    all.push_back({ScheduleKind::falling_waves, LaneLayout::linear});
  }
  if (std::uint64_t{request.groups[0]} * request.groups[1] * request.groups[2] > 1) {
    all.push_back({ScheduleKind::reversed_groups, LaneLayout::linear});
  }
  if (sanitize::differs_from_linear(LaneLayout::quads, group_size)) {
    all.push_back({ScheduleKind::rising, LaneLayout::quads});
  }
  if (wave_size > 1 && !lockstep) {
    all.push_back({ScheduleKind::one_lane, LaneLayout::linear});
  }
  if (wave_size > 1 && !reconverges) {
    all.push_back({ScheduleKind::parting_lanes, LaneLayout::linear});
  }
  return all;
}

// Every run, with the findings of comparing it to the first one of its wave size among its own. Only those keep
// outputs.
Expected<std::vector<sanitize::RunResult>> sweep(const CheckRequest& request, const CheckOptions& options,
                                                 const sanitize::SourceText& text) {
  std::vector<sanitize::RunResult> results;
  std::size_t runs = options.wave_sizes.size();
  const auto reflection = spirv::reflect(request.spirv, request.entry_point);
  if (!reflection) {
    return tl::unexpected<Error>(reflection.error());
  }
  const bool reconverges =
      reflection->find_mode(static_cast<std::uint32_t>(spv::ExecutionMode::MaximallyReconvergesKHR)) != nullptr;
  for (const auto wave_size : options.wave_sizes) {
    const auto shader = sanitize::SizedShader::create(request, options, wave_size);
    if (!shader) {
      return tl::unexpected<Error>(shader.error());
    }
    const auto in_orders = orders(request, shader->group_size(), wave_size, reconverges, options.rules == Rules::d3d12);
    runs += in_orders.size() - 1;
    const auto first = results.size();
    for (const auto& order : in_orders) {
      if (options.progress) {
        options.progress(results.size(), runs);
      }
      auto result = shader->run(order.schedule, order.layout, text);
      if (!result) {
        return tl::unexpected<Error>(std::move(result.error()));
      }
      results.push_back(*std::move(result));
      if (results.size() > first + 1) {
        auto& run = results.back();
        if (auto finding = sanitize::compare_orders(request, results[first], run)) {
          run.findings.push_back(*std::move(finding));
        }
        run.outputs = {};
        run.writers = {};
      }
    }
  }
  return results;
}

}  // namespace

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    default:
      return "error";
  }
}

std::string_view name(LaneLayout layout) { return layout == LaneLayout::linear ? "linear" : "quads"; }

std::string_view name(ScheduleKind schedule) {
  switch (schedule) {
    case ScheduleKind::rising:
      return "waves rising";
    case ScheduleKind::falling_waves:
      return "waves falling";
    case ScheduleKind::reversed_groups:
      return "groups reversed";
    case ScheduleKind::one_lane:
      return "one lane at a time";
    default:
      return "uniform-control-flow";
  }
}

bool CheckReport::clean() const {
  return std::ranges::all_of(findings, [](const Finding& finding) { return finding.severity == Severity::note; });
}

Expected<CheckReport> check(const CheckRequest& request, const CheckOptions& options) {
  if (options.wave_sizes.empty()) {
    return fail(ErrorCode::invalid_argument, "There is no wave size to check at; name one from 1 to 128.");
  }
  const auto text = sanitize::SourceText::of(request.spirv);
  if (!text) {
    return tl::unexpected<Error>(text.error());
  }
  auto results = sweep(request, options, *text);
  if (!results) {
    return tl::unexpected<Error>(std::move(results.error()));
  }
  CheckReport report;
  if (auto finding = sanitize::compare_sizes(request, *results)) {
    report.findings.push_back(*std::move(finding));
  }
  for (auto& result : *results) {
    report.runs.push_back(result.run);
    sanitize::merge_findings(report.findings, std::move(result.findings), result.run);
  }
  sanitize::sort_findings(report.findings);
  for (auto& finding : report.findings) {
    finding.hint = sanitize::in_language(finding.hint, text->language());
  }
  return report;
}

}  // namespace crosslane
