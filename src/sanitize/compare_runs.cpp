#include "sanitize/compare_runs.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sanitize/merge_findings.hpp"

namespace crosslane::sanitize {
namespace {

bool is_first_order(const RunResult& result) {
  return result.run.schedule == ScheduleKind::rising && result.run.layout == LaneLayout::linear &&
         result.run.reported_lanes == 0;
}

bool is_fault(const Finding& finding) { return finding.severity != Severity::note; }

bool is_faulty(const RunResult& result) {
  return !result.run.finished || std::ranges::any_of(result.findings, is_fault);
}

// "o[3] is 4 and 8".
std::string difference_text(const CheckRequest& request, const OutputDifference& difference) {
  const auto& resource = request.resources[difference.resource];
  return fmt::format("{}[{}] is {}", resource.name.empty() ? fmt::format("binding {}", resource.slot) : resource.name,
                     difference.number, difference.values);
}

void add_writer(const RunResult& run, const OutputDifference& difference, Finding& finding) {
  const auto& writers = run.writers[difference.resource];
  if (difference.number < writers.size() && writers[difference.number] != 0) {
    finding.locations.push_back(run.stores[writers[difference.number] - 1]);
  }
}

// Runs of different sizes that agree, in classes; each with a run of the class before it.
using Classes = std::vector<std::vector<const RunResult*>>;

Classes classify(const CheckRequest& request, std::span<const RunResult* const> runs) {
  Classes classes;
  for (const auto* run : runs) {
    const auto same = std::ranges::find_if(classes, [&](const auto& members) {
      return members.front()->run.results_hold == run->run.results_hold &&
             !first_difference(request.resources, members.front()->outputs, run->outputs, true);
    });
    if (same == classes.end()) {
      classes.push_back({run});
    } else {
      same->push_back(run);
    }
  }
  return classes;
}

// Which class is right: that whose results hold, else the largest, of several the one of the smallest waves.
const std::vector<const RunResult*>& right_class(const Classes& classes) {
  const auto holds = [](const auto& members) { return members.front()->run.results_hold.value_or(false); };
  const auto rank = [&](const auto& members) { return std::pair(holds(members), members.size()); };
  return *std::ranges::max_element(classes, {}, rank);
}

std::vector<std::uint32_t> sizes_of(std::span<const RunResult* const> runs) {
  std::vector<std::uint32_t> sizes;
  for (const auto* run : runs) {
    sizes.push_back(run->run.wave_size);
  }
  return sizes;
}

// "some with waves of 4 and 8 lanes, others with 16, others with 32 and 64".
std::string agreement_text(const Classes& classes) {
  std::string text;
  for (const auto& members : classes) {
    text += fmt::format("{}{}{}", text.empty() ? "some with waves of " : ", others with ",
                        fmt::join(sizes_of(members), " and "), text.empty() ? " lanes" : "");
  }
  return text;
}

struct OrderWording {
  std::string_view id;
  std::string_view message;
  std::string_view hint;
};

OrderWording order_wording(const CheckRun& run) {
  if (run.reported_lanes != 0) {
    return {
        "reported-size-dependent", "The outputs are others where the device reports another wave size than it has.",
        "Count the lanes of a wave instead of asking for their number, as by {WaveActiveSum(1)|subgroupAdd(1)} or a "
        "ballot, or use groupshared memory."};
  }
  if (run.layout != LaneLayout::linear) {
    return {"mapping-dependent", "The outputs depend on which threads make up a wave.",
            "Nothing promises that the threads of a wave follow each other in {SV_GroupIndex|gl_LocalInvocationIndex}: "
            "take "
            "the wave's number "
            "from the device, or use groupshared memory."};
  }
  if (run.schedule == ScheduleKind::parting_lanes) {
    return {"reconvergence-dependent", "The outputs depend on lanes meeting again where nothing promises it.",
            "Move the wave operation to where the whole wave is, or ask for maximal reconvergence."};
  }
  return {"schedule-dependent", "The outputs depend on the order in which lanes, waves or thread groups run.",
          "Outputs whose numbers may come in any order can be declared so (--unordered)."};
}

Finding size_finding(const CheckRequest& request, const Classes& classes) {
  const auto& right = right_class(classes);
  Finding finding;
  finding.id = "wave-size-dependent";
  std::vector<const RunResult*> others;
  for (const auto& members : classes) {
    if (&members != &right) {
      others.insert(others.end(), members.begin(), members.end());
      if (const auto difference =
              first_difference(request.resources, right.front()->outputs, members.front()->outputs, true)) {
        finding.values.push_back(fmt::format("{} with waves of {} and {}", difference_text(request, *difference),
                                             right.front()->run.wave_size, members.front()->run.wave_size));
        if (finding.locations.empty()) {
          add_writer(*members.front(), *difference, finding);
        }
      }
    }
  }
  finding.wave_sizes = sizes_of(others);
  std::ranges::sort(finding.wave_sizes);
  finding.schedules = {std::string(name(ScheduleKind::rising))};
  finding.count = others.size();
  finding.message = right.front()->run.results_hold.value_or(false)
                        ? fmt::format("With waves of {} lanes the outputs are wrong, with {} they are right.",
                                      fmt::join(finding.wave_sizes, ", "), fmt::join(sizes_of(right), ", "))
                        : fmt::format("The outputs depend on the wave size: {}.", agreement_text(classes));
  finding.hint =
      "Start from {WaveGetLaneCount()|gl_SubgroupSize}, size groupshared arrays for the smallest waves, and round "
      "numbers "
      "of waves up; outputs that are meant to depend on the wave size can be declared so (--may-vary).";
  return finding;
}

// Whatever goes wrong only there is one note.
std::optional<Finding> compare_weakest(const CheckRequest& request, const RunResult& first, const RunResult& run) {
  const auto fault = std::ranges::find_if(run.findings, is_fault);
  if (is_faulty(first) ||
      (fault == run.findings.end() && !first_difference(request.resources, first.outputs, run.outputs, false))) {
    return std::nullopt;
  }
  Finding finding = fault == run.findings.end() ? Finding{} : *fault;
  finding.values.insert(finding.values.begin(), finding.message);
  if (fault == run.findings.end()) {
    const auto difference = *first_difference(request.resources, first.outputs, run.outputs, false);
    finding.values = {
        fmt::format("{}: {} and {}", difference_text(request, difference), order_name(first.run), order_name(run.run))};
    add_writer(run, difference, finding);
  }
  finding.id = "reconvergence-dependent";
  finding.severity = Severity::note;
  finding.count = 1;
  finding.message =
      "The shader depends on lanes meeting again where SPIR-V alone does not promise it: at the end of "
      "what a whole wave entered, and not the whole thread group.";
  finding.hint =
      "Every driver with VK_KHR_shader_subgroup_uniform_control_flow does so; ask for it "
      "(GL_EXT_subgroup_uniform_control_flow), or move the wave operation to where the whole group is.";
  return finding;
}

}  // namespace

std::optional<Finding> compare_orders(const CheckRequest& request, const RunResult& first, const RunResult& run) {
  if (run.run.schedule == ScheduleKind::parting_waves) {
    return compare_weakest(request, first, run);
  }
  const auto difference = is_faulty(first) || is_faulty(run)
                              ? std::nullopt
                              : first_difference(request.resources, first.outputs, run.outputs, false);
  if (!difference) {
    return std::nullopt;
  }
  const auto words = order_wording(run.run);
  Finding finding;
  finding.id = words.id;
  finding.severity = Severity::warning;
  finding.count = 1;
  finding.message = words.message;
  finding.values = {
      fmt::format("{}: {} and {}", difference_text(request, *difference), order_name(first.run), order_name(run.run))};
  finding.hint = words.hint;
  add_writer(run, *difference, finding);
  return finding;
}

std::optional<Finding> compare_sizes(const CheckRequest& request, std::span<const RunResult> runs) {
  std::vector<const RunResult*> first;
  for (const auto& run : runs) {
    if (is_first_order(run) && run.run.finished) {
      first.push_back(&run);
    }
  }
  if (first.empty()) {
    return std::nullopt;
  }
  const auto classes = classify(request, first);
  if (classes.size() > 1) {
    return size_finding(request, classes);
  }
  if (first.front()->run.results_hold.value_or(true) || std::ranges::any_of(runs, is_faulty)) {
    return std::nullopt;
  }
  Finding finding;
  finding.id = "wrong-result";
  finding.message = "The job's results do not hold, at any wave size.";
  finding.wave_sizes = sizes_of(first);
  finding.schedules = {std::string(name(ScheduleKind::rising))};
  finding.hint = "crosslane run shows which numbers differ.";
  finding.count = first.size();
  return finding;
}

}  // namespace crosslane::sanitize
