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

}  // namespace

std::string order_name(const CheckRun& run) {
  return run.layout == LaneLayout::linear ? std::string(name(run.schedule))
                                          : fmt::format("{}, {}", name(run.schedule), name(run.layout));
}

void merge_findings(std::vector<Finding>& all, std::vector<Finding> of_run, const CheckRun& run) {
  for (auto& finding : of_run) {
    const auto known = std::ranges::find_if(all, [&](const Finding& other) { return same_fault(other, finding); });
    const bool is_new = known == all.end();
    auto& kept = is_new ? all.emplace_back(std::move(finding)) : *known;
    if (!is_new) {
      const auto count = kept.count + finding.count;
      if (finding.severity > kept.severity) {
        finding.wave_sizes = std::move(kept.wave_sizes);
        finding.schedules = std::move(kept.schedules);
        kept = std::move(finding);
      }
      kept.count = count;
    }
    add_sorted(kept.wave_sizes, run.wave_size);
    add_once(kept.schedules, order_name(run));
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
