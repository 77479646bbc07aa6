#include "cli/run_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "job/format.hpp"
#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

using report::Json;

std::string place_text(const job::Job& job, const job::ExpectedResult& result, const job::Difference& difference) {
  const auto* const buffer = job.find(result.actual);
  return buffer->elements.size() == 1 ? fmt::format("{}[{}]", result.actual, difference.index)
                                      : fmt::format("{}[{}][{}]", result.actual, difference.element, difference.index);
}

std::string verdict_text(const RunOutcome& run, const job::ResultVerdict& judged) {
  const auto& [result, verdict] = judged;
  if (verdict.holds) {
    return fmt::format("  {}: holds ({}, {} numbers)\n", result.name, name(result.rule), verdict.compared);
  }
  if (!verdict.reason.empty()) {
    return fmt::format("  {}: FAILS ({}): {}\n", result.name, name(result.rule), verdict.reason);
  }
  auto text = fmt::format("  {}: FAILS ({}): {} of {} numbers differ\n", result.name, name(result.rule),
                          verdict.differing, verdict.compared);
  for (const auto& difference : verdict.first) {
    text += fmt::format("    {}: {}, expected {}\n", place_text(run.job, result, difference),
                        job::number_text(difference.actual, verdict.actual_format),
                        job::number_text(difference.expected, verdict.expected_format));
  }
  if (verdict.differing > verdict.first.size()) {
    text += "    …\n";
  }
  return text;
}

std::string outcome_text(const RunOutcome& run) {
  auto text = fmt::format("{} thread groups of {} threads, {} lanes per wave\n", fmt::join(run.job.groups, " × "),
                          fmt::join(run.execution.group_size, " × "), run.execution.wave_size);
  for (const auto& judged : run.execution.verdicts) {
    text += verdict_text(run, judged);
  }
  for (const auto& file : run.written) {
    text += fmt::format("  {}: {} {} numbers written to {}\n", file.buffer, file.count, name(file.format), file.file);
  }
  for (const auto& note : run.execution.notes) {
    text += fmt::format("  note: {}\n", note);
  }
  return text;
}

std::string summary_text(const RunReport& report) {
  std::size_t results = 0;
  std::size_t failing = 0;
  for (const auto& run : report.runs) {
    results += run.execution.verdicts.size();
    failing += static_cast<std::size_t>(std::ranges::count_if(
        run.execution.verdicts, [](const job::ResultVerdict& judged) { return !judged.verdict.holds; }));
  }
  if (results == 0) {
    return "ran; there are no results to check\n";
  }
  if (results == 1) {
    return failing == 0 ? "the result holds\n" : "the result FAILS\n";
  }
  return failing == 0 ? fmt::format("all {} results hold\n", results)
                      : fmt::format("{} of {} results FAIL\n", failing, results);
}

// Names come from files and messages from compilers; only our own line breaks stay.
std::string printable_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1);
    if (const auto line = text.substr(0, end); !line.empty()) {
      result += report::printable(line) + '\n';
    }
    text.remove_prefix(end + 1);
  }
  return result;
}

Json verdict_json(const RunOutcome& run, const job::ResultVerdict& judged) {
  const auto& [result, verdict] = judged;
  Json json = {{"name", result.name},
               {"rule", name(result.rule)},
               {"holds", verdict.holds},
               {"actual", result.actual},
               {"expected", result.expected},
               {"compared", report::exact(verdict.compared)},
               {"differing", report::exact(verdict.differing)},
               {"reason", verdict.reason},
               {"differences", Json::array()}};
  for (const auto& difference : verdict.first) {
    json["differences"].push_back({{"place", place_text(run.job, result, difference)},
                                   {"element", report::exact(difference.element)},
                                   {"index", report::exact(difference.index)},
                                   {"actual", job::number_text(difference.actual, verdict.actual_format)},
                                   {"expected", job::number_text(difference.expected, verdict.expected_format)}});
  }
  return json;
}

Json outcome_json(const RunOutcome& run) {
  Json json = {
      {"entry_point", run.entry_point},       {"groups", run.job.groups}, {"group_size", run.execution.group_size},
      {"wave_size", run.execution.wave_size}, {"results", Json::array()}, {"written", Json::array()},
      {"notes", run.execution.notes}};
  for (const auto& judged : run.execution.verdicts) {
    json["results"].push_back(verdict_json(run, judged));
  }
  for (const auto& file : run.written) {
    json["written"].push_back({{"buffer", file.buffer},
                               {"file", file.file},
                               {"format", name(file.format)},
                               {"count", report::exact(file.count)}});
  }
  return json;
}

}  // namespace

std::string run_text(const RunFlags& flags, const RunReport& report) {
  std::string text = fmt::format("{} on {}: {}\n", flags.shader, report.device.id, report.device.name);
  for (const auto& run : report.runs) {
    text += outcome_text(run);
  }
  for (const auto& note : report.notes) {
    text += fmt::format("note: {}\n", note);
  }
  if (report.skipped) {
    text += fmt::format("skipped: {}\n", *report.skipped);
  }
  return printable_lines(report.runs.empty() ? text : text + summary_text(report));
}

report::Json run_json(const RunFlags& flags, const RunReport& report) {
  auto json = report::document();
  json["shader"] = flags.shader;
  json["job"] = flags.job.empty() ? Json() : Json(flags.job);
  json["device"] = report::device_summary(report.device);
  json["skipped"] = report.skipped ? Json(*report.skipped) : Json();
  json["runs"] = Json::array();
  for (const auto& run : report.runs) {
    json["runs"].push_back(outcome_json(run));
  }
  json["notes"] = report.notes;
  json["all_hold"] = report.all_hold();
  return json;
}

}  // namespace crosslane::cli
