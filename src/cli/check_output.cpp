#include "cli/check_output.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/color.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

using report::Json;
using report::printable;

// Messages of compilers have several lines.
std::string printable_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines += (lines.empty() || end == 0 ? "" : "\n") + printable(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string severity_text(Severity severity, bool color) {
  constexpr std::array colors = {fmt::terminal_color::cyan, fmt::terminal_color::yellow, fmt::terminal_color::red};
  return color ? fmt::format(fmt::emphasis::bold | fmt::fg(colors.at(static_cast<std::size_t>(severity))), "{}",
                             name(severity))
               : std::string(name(severity));
}

// Names come from files; only our own line breaks stay.
std::string finding_text(const Finding& finding, bool color) {
  return severity_text(finding.severity, color) +
         printable_lines(describe(finding)).substr(name(finding.severity).size()) + "\n";
}

std::string summary_text(const CheckOutcome& outcome) {
  std::set<std::uint32_t> sizes;
  std::size_t runs = 0;
  std::array<std::size_t, 3> counts{};
  for (const auto& report : outcome.reports) {
    runs += report.runs.size();
    for (const auto& run : report.runs) {
      sizes.insert(run.wave_size);
    }
    for (const auto& finding : report.findings) {
      ++counts.at(static_cast<std::size_t>(finding.severity));
    }
  }
  const auto of = fmt::format("{} run{} at wave size {}", runs, runs == 1 ? "" : "s", fmt::join(sizes, ", "));
  const auto notes = counts[0] == 0 ? "" : fmt::format(", {} note{}", counts[0], counts[0] == 1 ? "" : "s");
  if (outcome.clean()) {
    return fmt::format("clean: {}{}\n", of, notes);
  }
  return fmt::format("{} error{}, {} warning{}{} in {}\n", counts[2], counts[2] == 1 ? "" : "s", counts[1],
                     counts[1] == 1 ? "" : "s", notes, of);
}

Json location_json(const FindingLocation& location) {
  return {{"file", location.file},
          {"line", location.line},
          {"column", location.column},
          {"text", location.text},
          {"what", location.what}};
}

Json finding_json(const Finding& finding) {
  Json json = {{"id", finding.id},
               {"severity", name(finding.severity)},
               {"wave_sizes", finding.wave_sizes},
               {"message", finding.message},
               {"locations", Json::array()},
               {"schedules", finding.schedules},
               {"group", finding.group},
               {"wave", finding.wave},
               {"lanes", finding.lanes},
               {"threads", finding.threads},
               {"values", finding.values},
               {"hint", finding.hint},
               {"count", report::exact(finding.count)}};
  for (const auto& location : finding.locations) {
    json["locations"].push_back(location_json(location));
  }
  return json;
}

std::string_view result_name(const CheckRun& run) {
  if (!run.finished) {
    return "stopped";
  }
  return !run.results_hold ? "ran" : *run.results_hold ? "holds" : "fails";
}

}  // namespace

bool CheckOutcome::clean() const { return std::ranges::all_of(reports, &CheckReport::clean); }

std::string check_text(const CheckOutcome& outcome, bool color) {
  std::string text;
  for (const auto& report : outcome.reports) {
    for (const auto& finding : report.findings) {
      text += finding_text(finding, color) + "\n";
    }
  }
  for (const auto& note : outcome.notes) {
    text += fmt::format("note: {}\n", printable_lines(note));
  }
  return text + fmt::format("{}: {}", printable(outcome.shader), summary_text(outcome));
}

Json check_json(const CheckOutcome& outcome) {
  auto json = report::document();
  json["shader"] = outcome.shader;
  json["verdict"] = outcome.clean() ? "clean" : "findings";
  json["findings"] = Json::array();
  json["runs"] = Json::array();
  for (const auto& report : outcome.reports) {
    for (const auto& finding : report.findings) {
      json["findings"].push_back(finding_json(finding));
    }
    for (const auto& run : report.runs) {
      json["runs"].push_back({{"wave_size", run.wave_size},
                              {"schedule", name(run.schedule)},
                              {"layout", name(run.layout)},
                              {"reported_lanes", run.reported_lanes == 0 ? run.wave_size : run.reported_lanes},
                              {"result", result_name(run)}});
    }
  }
  json["notes"] = outcome.notes;
  return json;
}

}  // namespace crosslane::cli
