#include "cli/check_sarif.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/output_file.hpp"

namespace crosslane::cli {
namespace {

using report::Json;

Json message(const std::string& text) { return {{"text", text}}; }

Json rule_json(const RuleText& rule) {
  return {{"id", rule.id},
          {"shortDescription", message(std::string(rule.rule))},
          {"help", message(fmt::format("{} Rests on: {}.", rule.mend, rule.source))}};
}

// Files are named as they were to the compiler, with slashes; what a URI does not have is written by its number.
std::string uri_of(const std::string& file) {
  constexpr std::string_view plain = "-._~/:";
  std::string uri;
  for (const char letter : file) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool kept = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                      plain.find(letter) != std::string_view::npos;
    uri += letter == '\\' ? "/" : kept ? std::string(1, letter) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

Json location_json(const FindingLocation& location) {
  Json region = {{"startLine", location.line}};
  if (location.column != 0) {
    region["startColumn"] = location.column;
  }
  if (!location.text.empty()) {
    region["snippet"] = message(location.text);
  }
  return {{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(location.file)}}}, {"region", region}}},
          {"message", message(location.what)}};
}

// Places without a line are no places to SARIF; a finding without any is about the whole shader.
Json result_json(const std::string& shader, const Finding& finding) {
  const auto all = rules();
  const auto rule = std::ranges::find(all, std::string_view(finding.id), &RuleText::id);
  Json result = {{"ruleId", finding.id},
                 {"ruleIndex", rule - all.begin()},
                 {"level", name(finding.severity)},
                 {"message", message(fmt::format("{} {}", finding.message, finding.hint))},
                 {"locations", Json::array()},
                 {"relatedLocations", Json::array()},
                 {"properties", {{"waveSizes", finding.wave_sizes}, {"schedules", finding.schedules}}}};
  for (const auto& location : finding.locations) {
    if (location.line != 0) {
      auto& list = result[result["locations"].empty() ? "locations" : "relatedLocations"];
      list.push_back(location_json(location));
    }
  }
  if (result["locations"].empty()) {
    result["locations"].push_back({{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(shader)}}}}}});
  }
  return result;
}

}  // namespace

Expected<void> check_sarif_file(const std::string& path) {
  const auto file = find_output(path, sarif_files);
  if (!file) {
    return tl::unexpected(file.error());
  }
  std::ifstream stream(file->target, std::ios::binary);
  if (!stream.is_open() || stream.peek() == std::ifstream::traits_type::eof()) {
    return {};
  }
  const Json found = Json::parse(stream, nullptr, false);
  if (!found.is_object() || !found.contains("version") || !found.contains("runs")) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--sarif {}: the file is there already, and is no SARIF: name another one", path));
  }
  return {};
}

Json check_sarif(const CheckOutcome& outcome) {
  Json driver = {{"name", "crosslane"}, {"rules", Json::array()}};
  for (const auto& rule : rules()) {
    driver["rules"].push_back(rule_json(rule));
  }
  Json run = {{"tool", {{"driver", driver}}}, {"results", Json::array()}};
  for (const auto& report : outcome.reports) {
    for (const auto& finding : report.findings) {
      run["results"].push_back(result_json(outcome.shader, finding));
    }
  }
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", {run}}};
}

}  // namespace crosslane::cli
