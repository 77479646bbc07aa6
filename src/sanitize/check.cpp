#include "crosslane/check.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spirv/unified1/spirv.hpp11>

#include "base/rounding.hpp"
#include "machine/workers.hpp"
#include "sanitize/compare_runs.hpp"
#include "sanitize/lane_layout.hpp"
#include "sanitize/merge_findings.hpp"
#include "sanitize/sweep.hpp"
#include "spirv/reflection.hpp"

namespace crosslane {
namespace {

using sanitize::Order;

// Where a module asks lanes that parted to meet again.
struct Reconvergence {
  bool maximal = false;
  bool of_waves = false;  // at the end of what a whole wave entered; or nothing in it looks at other lanes

  explicit Reconvergence(const spirv::Reflection& shader) {
    const auto asks = [&](spv::ExecutionMode mode) {
      return shader.find_mode(static_cast<std::uint32_t>(mode)) != nullptr;
    };
    maximal = asks(spv::ExecutionMode::MaximallyReconvergesKHR);
    of_waves = asks(spv::ExecutionMode::SubgroupUniformControlFlowKHR) ||
               !shader.has_capability(static_cast<std::uint32_t>(spv::Capability::GroupNonUniform));
  }
};

// Only orders that differ for this shader: one wave has no other order of waves. What a module asks to reconverge
// maximally meets wherever it can; Direct3D lets the lanes of a wave rely on lockstep.
std::vector<Order> orders(const CheckRequest& request, const CheckOptions& options,
                          const std::array<std::uint32_t, 3>& group_size, std::uint32_t wave_size,
                          const Reconvergence& promised) {
  const bool lockstep = options.rules == Rules::d3d12;
  std::vector<Order> all = {{}};
  const auto threads = std::uint64_t{group_size[0]} * group_size[1] * group_size[2];
  const bool several_waves = divide_up(threads, wave_size) > 1;
  if (several_waves) {
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
  if (wave_size > 1 && !promised.maximal) {
    all.push_back({ScheduleKind::parting_lanes, LaneLayout::linear});
    if (several_waves && !promised.of_waves) {
      all.push_back({ScheduleKind::parting_waves, LaneLayout::linear});
    }
  }
  for (const auto reported : options.lying_sizes) {
    if (reported != wave_size) {
      all.push_back({ScheduleKind::rising, LaneLayout::linear, reported});
    }
  }
  return all;
}

// The runs of one wave size.
struct SizeRuns {
  sanitize::SizedShader shader;
  std::vector<Order> orders;
  std::vector<sanitize::RunResult> results = {};  // in the same order
};

// All runs, several at once. Results stand where their orders do: which comes first makes no difference.
class Sweep {
 public:
  Sweep(const CheckRequest& request, const CheckOptions& options, const sanitize::SourceText& text)
      : request_(request), options_(options), text_(text) {
    if (request.results_hold) {
      request_.results_hold = [this](std::span<const std::vector<std::byte>> outputs) {
        const std::scoped_lock lock(mutex_);
        return results_hold_(outputs);
      };
      results_hold_ = request.results_hold;
    }
  }
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  // Every run, size after size, with the finding of comparing it to the first one of its size among its own. Only first
  // ones keep outputs.
  Expected<std::vector<sanitize::RunResult>> run() {
    if (auto made = make_shaders(); !made) {
      return tl::unexpected<Error>(std::move(made.error()));
    }
    // The run of the largest waves, which takes least time, tells whether the shader ends.
    const auto largest = std::ranges::max_element(options_.wave_sizes) - options_.wave_sizes.begin();
    std::vector<std::pair<SizeRuns*, std::size_t>> probe = {{&sizes_[static_cast<std::size_t>(largest)], 0}};
    std::vector<std::pair<SizeRuns*, std::size_t>> first;
    std::vector<std::pair<SizeRuns*, std::size_t>> others;
    for (auto& size : sizes_) {
      for (std::size_t order = &size == probe.front().first ? 1 : 0; order < size.orders.size(); ++order) {
        (order == 0 ? first : others).emplace_back(&size, order);
      }
    }
    all_ = probe.size() + first.size() + others.size();
    for (const auto* const runs : {&probe, &first, &others}) {
      const auto done =
          at_once(runs->size(), [&](std::size_t n) { return run_one(*(*runs)[n].first, (*runs)[n].second); });
      if (!done) {
        return tl::unexpected<Error>(done.error());
      }
      // What is shown need not be shown at length by every run.
      if (runs == &probe && probe.front().first->results.front().endless()) {
        most_iterations_ = std::max<std::uint64_t>(most_iterations_ / shortened, 1);
      }
    }
    std::vector<sanitize::RunResult> results;
    for (auto& size : sizes_) {
      std::ranges::move(size.results, std::back_inserter(results));
    }
    return results;
  }

 private:
  static constexpr std::uint64_t shortened = 256;

  Expected<void> make_shaders() {
    const auto reflection = spirv::reflect(request_.spirv, request_.entry_point);
    if (!reflection) {
      return tl::unexpected<Error>(reflection.error());
    }
    const Reconvergence promised(*reflection);
    std::vector<std::optional<sanitize::SizedShader>> shaders(options_.wave_sizes.size());
    auto made = at_once(shaders.size(), [&](std::size_t n) {
      return sanitize::SizedShader::create(request_, options_, options_.wave_sizes[n])
          .map([&](sanitize::SizedShader shader) { shaders[n] = std::move(shader); });
    });
    for (std::size_t n = 0; made && n < shaders.size(); ++n) {
      auto in_orders = orders(request_, options_, shaders[n]->group_size(), options_.wave_sizes[n], promised);
      sizes_.push_back({*std::move(shaders[n]), std::move(in_orders)});
      sizes_.back().results.resize(sizes_.back().orders.size());
    }
    return made;
  }

  Expected<void> run_one(SizeRuns& size, std::size_t order) {
    auto result = size.shader.run(size.orders[order], text_, most_iterations_);
    if (!result) {
      return tl::unexpected<Error>(std::move(result.error()));
    }
    if (order != 0) {
      auto finding = sanitize::compare_orders(request_, size.results.front(), *result);
      if (result->run.schedule == ScheduleKind::parting_waves) {
        result->findings.clear();  // it tells of all together
      }
      if (finding) {
        result->findings.push_back(*std::move(finding));
      }
      result->outputs = {};
      result->writers = {};
    }
    size.results[order] = *std::move(result);
    const std::scoped_lock lock(mutex_);
    ++done_;
    if (options_.progress) {
      options_.progress(done_, all_);
    }
    return {};
  }

  // Calls `work(n)` for every n below `count`. Of several errors the first one's.
  template <typename Work>
  Expected<void> at_once(std::size_t count, Work work) const {
    std::vector<Expected<void>> results(count);
    std::atomic<std::size_t> next{0};
    const auto cores = options_.jobs == 0 ? static_cast<std::uint32_t>(machine::host_threads()) : options_.jobs;
    const auto workers = std::min<std::size_t>(cores, count);
    const auto loop = [&] {
      for (auto n = next.fetch_add(1); n < count; n = next.fetch_add(1)) {
        results[n] = work(n);
      }
    };
    if (workers > 1) {
      machine::run_workers(static_cast<int>(workers), loop);
    } else {
      loop();
    }
    const auto failed = std::ranges::find_if(results, [](const auto& result) { return !result; });
    return failed == results.end() ? Expected<void>() : *failed;
  }

  CheckRequest request_;
  const CheckOptions& options_;
  const sanitize::SourceText& text_;
  std::function<bool(std::span<const std::vector<std::byte>>)> results_hold_;
  std::vector<SizeRuns> sizes_;
  std::uint64_t most_iterations_ = options_.most_iterations;
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::size_t all_ = 0;
};

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
    case ScheduleKind::parting_lanes:
      return "uniform-control-flow";
    default:
      return "workgroup-uniform";
  }
}

bool CheckReport::clean() const {
  return std::ranges::all_of(findings, [](const Finding& finding) { return finding.severity == Severity::note; });
}

Expected<CheckReport> check(const CheckRequest& request, const CheckOptions& options) {
  if (options.wave_sizes.empty()) {
    return fail(ErrorCode::invalid_argument, "There is no wave size to check at; name one from 1 to 128.");
  }
  constexpr std::uint32_t most_groups = 65535;
  if (options.rules == Rules::d3d12 &&
      std::ranges::any_of(request.groups, [](std::uint32_t count) { return count > most_groups; })) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} thread groups are dispatched, and Direct3D allows {} in each dimension: use several "
                            "dimensions or dispatches, or check by Vulkan's rules.",
                            fmt::join(request.groups, " x "), most_groups));
  }
  const auto text = sanitize::SourceText::of(request.spirv);
  if (!text) {
    return tl::unexpected<Error>(text.error());
  }
  auto results = Sweep(request, options, *text).run();
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
