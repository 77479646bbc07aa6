#include "crosslane/decisions.hpp"

#include <algorithm>
#include <exception>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace crosslane {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema_version = 1;
constexpr std::uintmax_t largest_file = 1U << 20U;
constexpr int deepest_value = 6;  // so that a damaged file cannot use up the stack
constexpr const char* kind = "crosslane decisions";

StoredDecision decision_of(const Json& json) {
  StoredDecision decision;
  decision.device_uuid = json.at("device_uuid").get<std::string>();
  decision.device_name = json.at("device_name").get<std::string>();
  decision.driver_version = json.at("driver_version").get<std::string>();
  decision.wave_size = json.at("wave_size").get<std::uint32_t>();
  decision.algorithm = json.at("algorithm").get<std::string>();
  decision.answer = json.at("decision").get<std::string>();
  decision.reason = json.at("reason").get<std::string>();
  decision.threshold = json.at("threshold").get<double>();
  if (!json.at("gain").is_null()) {
    decision.gain = json.at("gain").get<double>();
  }
  decision.made = json.at("made").get<std::string>();
  decision.crosslane = json.at("crosslane").get<std::string>();
  return decision;
}

Json json_of(const StoredDecision& decision) {
  return {{"algorithm", decision.algorithm},     {"decision", decision.answer},
          {"reason", decision.reason},           {"gain", decision.gain ? Json(*decision.gain) : Json()},
          {"threshold", decision.threshold},     {"device_name", decision.device_name},
          {"device_uuid", decision.device_uuid}, {"driver_version", decision.driver_version},
          {"wave_size", decision.wave_size},     {"made", decision.made},
          {"crosslane", decision.crosslane}};
}

std::vector<StoredDecision> parse(std::istream& stream) {
  const auto shallow = [](int depth, Json::parse_event_t, const Json&) { return depth < deepest_value; };
  const Json json = Json::parse(stream, shallow);
  if (json.at("kind").get<std::string>() != kind || json.at("schema_version").get<int>() != schema_version) {
    throw std::invalid_argument("another kind of file");
  }
  std::vector<StoredDecision> decisions;
  for (const Json& one : json.at("decisions")) {
    decisions.push_back(decision_of(one));
  }
  return decisions;
}

}  // namespace

Expected<StoredDecisions> StoredDecisions::read(const std::filesystem::path& file) {
  std::error_code error;
  if (file.empty() || !std::filesystem::exists(file, error)) {
    return StoredDecisions();
  }
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: {}: remove it, and 'crosslane decide' makes a new one", file.string(), why));
  };
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream) {
    return refuse("cannot be read");
  }
  if (bytes > largest_file) {
    return refuse("is larger than any file of decisions");
  }
  try {
    return StoredDecisions(parse(stream));
  } catch (const std::exception&) {
    return refuse("is damaged, or no file of decisions");
  }
}

std::optional<Method> StoredDecisions::decide(const DeviceInfo& device, std::string_view algorithm) const {
  const StoredDecision* const decision = find(device, algorithm);
  for (const Method method : {Method::groupshared, Method::shuffle}) {
    if (decision != nullptr && decision->answer == name(method)) {
      return method;
    }
  }
  return std::nullopt;
}

const StoredDecision* StoredDecisions::find(const DeviceInfo& device, std::string_view algorithm) const {
  const auto found = std::ranges::find_if(decisions_, [&](const StoredDecision& one) {
    return one.algorithm == algorithm && !one.device_uuid.empty() && one.device_uuid == device.uuid &&
           one.driver_version == device.driver_version && one.wave_size == device.wave_sizes.standard;
  });
  return found == decisions_.end() ? nullptr : &*found;
}

const StoredDecision* StoredDecisions::find_outdated(const DeviceInfo& device, std::string_view algorithm) const {
  if (find(device, algorithm) != nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(decisions_, [&](const StoredDecision& one) {
    return one.algorithm == algorithm && one.device_name == device.name && one.driver_version != device.driver_version;
  });
  return found == decisions_.end() ? nullptr : &*found;
}

void StoredDecisions::put(StoredDecision decision) {
  // Names, not only uuids, which change with the driver.
  std::erase_if(decisions_, [&](const StoredDecision& one) {
    return one.algorithm == decision.algorithm && one.device_name == decision.device_name &&
           (one.device_uuid == decision.device_uuid || one.driver_version != decision.driver_version);
  });
  decisions_.push_back(std::move(decision));
}

std::size_t StoredDecisions::forget(std::string_view algorithm) {
  return std::erase_if(decisions_,
                       [&](const StoredDecision& one) { return algorithm.empty() || one.algorithm == algorithm; });
}

std::string StoredDecisions::text() const {
  Json json = {{"kind", kind}, {"schema_version", schema_version}, {"decisions", Json::array()}};
  for (const StoredDecision& decision : decisions_) {
    json["decisions"].push_back(json_of(decision));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace crosslane
