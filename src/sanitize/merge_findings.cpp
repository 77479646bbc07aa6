#include "sanitize/merge_findings.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace crosslane::sanitize {
namespace {

// The lines of a finding, whichever comes first.
std::set<std::tuple<std::string, std::uint32_t>> lines(const Finding& finding) {
  std::set<std::tuple<std::string, std::uint32_t>> all;
  for (const auto& location : finding.locations) {
    all.emplace(location.file, location.line);
  }
  return all;
}

bool same_fault(const Finding& a, const Finding& b) { return a.id == b.id && lines(a) == lines(b); }

void add_sorted(std::vector<std::uint32_t>& numbers, std::uint32_t number) {
  const auto place = std::ranges::lower_bound(numbers, number);
  if (place == numbers.end() || *place != number) {
    numbers.insert(place, number);
  }
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) {
    names.push_back(name);
  }
}

// The graver of two tells of both.
void take_in(Finding& kept, Finding other) {
  const auto count = kept.count + other.count;
  if (other.severity > kept.severity) {
    other.wave_sizes = std::move(kept.wave_sizes);
    other.schedules = std::move(kept.schedules);
    kept = std::move(other);
  }
  kept.count = count;
}

}  // namespace

std::string order_name(const CheckRun& run) {
  if (run.reported_lanes != 0) {
    return fmt::format("reports {} lanes", run.reported_lanes);
  }
  return run.layout == LaneLayout::linear ? std::string(name(run.schedule))
                                          : fmt::format("{}, {}", name(run.schedule), name(run.layout));
}

void merge_findings(std::vector<Finding>& all, std::vector<Finding> of_run, const CheckRun& run) {
  for (auto& finding : of_run) {
    auto kept = std::ranges::find_if(all, [&](const Finding& other) { return same_fault(other, finding); });
    if (kept == all.end()) {
      kept = all.insert(all.end(), std::move(finding));
    } else {
      take_in(*kept, std::move(finding));
    }
    add_sorted(kept->wave_sizes, run.wave_size);
    add_once(kept->schedules, order_name(run));
  }
}

void sort_findings(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) {
      return a.severity > b.severity;
    }
    const auto line = [](const Finding& finding) {
      return finding.locations.empty() ? ~0U : finding.locations.front().line;
    };
    return line(a) < line(b);
  });
}

}  // namespace crosslane::sanitize
