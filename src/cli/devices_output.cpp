#include "cli/devices_output.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "report/error_text.hpp"
#include "report/printable.hpp"
#include "report/table.hpp"

namespace crosslane::cli {
namespace {

using report::Json;
using report::printable;
using report::Table;

std::string waves_text(const WaveSizes& sizes) {
  return sizes.minimum == sizes.maximum ? std::to_string(sizes.standard)
                                        : fmt::format("{} ({} to {})", sizes.standard, sizes.minimum, sizes.maximum);
}

std::string features_text(const DeviceFeatures& features) {
  const std::array<std::pair<bool, std::string_view>, 7> main_features = {{
      {features.wave_shuffle && features.wave_shuffle_relative, "shuffle"},
      {features.wave_arithmetic, "arithmetic"},
      {features.int64, "int64"},
      {features.float64, "float64"},
      {features.int16, "int16"},
      {features.float16, "float16"},
      {features.wave_size_control, "wave size control"},
  }};
  std::vector<std::string_view> present;
  for (const auto& [has, name] : main_features) {
    if (has) {
      present.push_back(name);
    }
  }
  return fmt::format("{}", fmt::join(present, ", "));
}

std::string standing_text(const std::optional<std::vector<std::string>>& broken) {
  if (!broken) {
    return "not verified";
  }
  return broken->empty() ? "kept" : "BROKEN";
}

std::string device_table(const std::vector<DeviceFindings>& devices) {
  Table table({{"device"}, {"name"}, {"kind"}, {"API"}, {"lanes per wave"}, {"promises"}, {"features"}});
  for (const DeviceFindings& device : devices) {
    const DeviceInfo& info = device.info;
    table.add({info.id, info.name, std::string(report::name(info.kind)), info.api_version, waves_text(info.wave_sizes),
               standing_text(device.broken), features_text(info.features)});
  }
  std::string text = table.text() + '\n';
  for (const DeviceFindings& device : devices) {
    text += fmt::format("{} runs on {}, driver version {}\n", device.info.id, printable(device.info.driver),
                        printable(device.info.driver_version));
  }
  return text;
}

std::string conformance_text(const DeviceInfo& info, const ConformanceReport& report) {
  Table promises({{"promise"}, {"lanes", report::Align::right}, {"result"}, {"meaning"}});
  for (const Promise& promise : report.promises) {
    promises.add({promise.name, std::to_string(promise.wave_size), promise.kept ? "kept" : "BROKEN",
                  promise.kept ? promise.description : promise.detail});
  }
  Table observations({{"observation"}, {"lanes", report::Align::right}, {"seen"}, {"meaning"}});
  for (const Observation& observation : report.observations) {
    observations.add(
        {observation.name, std::to_string(observation.wave_size), observation.value, observation.description});
  }
  const auto broken = std::ranges::count_if(report.promises, [](const Promise& promise) { return !promise.kept; });
  std::string text =
      fmt::format("\n{}, {}: {} of {} promises kept\n\n{}", info.id, printable(info.name),
                  report.promises.size() - static_cast<std::size_t>(broken), report.promises.size(), promises.text());
  if (!report.observations.empty()) {
    text += fmt::format("\nwhere nothing is promised:\n\n{}", observations.text());
  }
  return text;
}

std::string compiler_text(const Expected<compile::CompilerReport>& compiler) {
  if (!compiler) {
    return fmt::format("none: {}\n", report::text(compiler.error()));
  }
  std::string text = fmt::format("{}\nversion {}, commit {}\n{}\n\n", printable(compiler->library.string()),
                                 printable(compiler->version), printable(compiler->commit), compiler->standing);
  Table probes({{"probe"}, {"result"}, {"meaning"}});
  for (const compile::ProbeResult& need : compiler->needs) {
    probes.add({need.name, need.passed ? "yes" : "MISSING",
                need.passed ? need.meaning : fmt::format("{}: {}", need.meaning, need.detail)});
  }
  for (const compile::ProbeResult& fault : compiler->faults) {
    probes.add({fault.name, fault.passed ? "free of it" : "fault seen", fault.meaning});
  }
  return text + probes.text();
}

Json conformance_json(const Expected<ConformanceReport>& conformance) {
  if (!conformance) {
    return {{"error", report::error_object(conformance.error())}};
  }
  Json promises = Json::array();
  for (const Promise& promise : conformance->promises) {
    promises.push_back({{"name", promise.name},
                        {"description", promise.description},
                        {"wave_size", promise.wave_size},
                        {"kept", promise.kept},
                        {"detail", promise.detail}});
  }
  Json observations = Json::array();
  for (const Observation& observation : conformance->observations) {
    observations.push_back({{"name", observation.name},
                            {"description", observation.description},
                            {"wave_size", observation.wave_size},
                            {"value", observation.value}});
  }
  return {{"all_kept", conformance->all_kept()}, {"promises", promises}, {"observations", observations}};
}

Json probes_json(const std::vector<compile::ProbeResult>& probes) {
  Json json = Json::array();
  for (const compile::ProbeResult& probe : probes) {
    json.push_back(
        {{"name", probe.name}, {"passed", probe.passed}, {"meaning", probe.meaning}, {"detail", probe.detail}});
  }
  return json;
}

Json compiler_json(const Expected<compile::CompilerReport>& compiler) {
  if (!compiler) {
    return {{"found", false}, {"error", report::error_object(compiler.error())}};
  }
  return {{"found", true},
          {"library", compiler->library.string()},
          {"version", compiler->version},
          {"commit", compiler->commit},
          {"commit_count", compiler->commit_count},
          {"fit", compiler->fit()},
          {"standing", compiler->standing},
          {"needs", probes_json(compiler->needs)},
          {"faults", probes_json(compiler->faults)}};
}

}  // namespace

std::string devices_text(const Findings& findings) {
  std::string text = "Devices\n\n";
  text += device_table(findings.devices);
  for (const DeviceFindings& device : findings.devices) {
    if (device.conformance && *device.conformance) {
      text += conformance_text(device.info, **device.conformance);
    }
  }
  for (const Error& why : findings.without_devices) {
    text += '\n' + report::text(why) + '\n';
  }
  text += "\nShader compiler (shaders of your own need it; Crosslane's kernels are built in)\n\n";
  text += compiler_text(findings.compiler);
  return text;
}

Json devices_json(const Findings& findings) {
  Json json = report::document();
  json["devices"] = Json::array();
  for (const DeviceFindings& device : findings.devices) {
    Json entry = report::device_details(device.info);
    entry["broken_promises"] = device.broken ? Json(*device.broken) : Json();
    entry["conformance"] = device.conformance ? conformance_json(*device.conformance) : Json();
    json["devices"].push_back(std::move(entry));
  }
  json["without_devices"] = Json::array();
  for (const Error& why : findings.without_devices) {
    json["without_devices"].push_back(report::error_object(why));
  }
  json["compiler"] = compiler_json(findings.compiler);
  return json;
}

}  // namespace crosslane::cli
