#include "cli/verification_store.hpp"

#include <cstdint>
#include <exception>
#include <fstream>
#include <ios>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "cli/user_folder.hpp"
#include "cli/version.hpp"
#include "cli/whole_file.hpp"
#include "report/json.hpp"

namespace crosslane::cli {
namespace {

constexpr std::uintmax_t largest_file = 1U << 20U;  // a thousand times what a few devices need

constexpr int deepest_value = 6;

std::string key_of(const DeviceInfo& device) {
  return fmt::format("{} {} driver {} waves {} {} {}", version(), device.uuid, device.driver_version,
                     device.wave_sizes.minimum, device.wave_sizes.maximum, device.wave_sizes.standard);
}

report::Json empty_store() {
  report::Json json = report::document();
  json["devices"] = report::Json::object();
  return json;
}

report::Json read_store(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  if (error || bytes > largest_file) {
    return empty_store();
  }
  std::ifstream stream(file);
  // What is nested deeper than a store ever is, is left out: a damaged file must not use up the stack.
  const auto shallow = [](int depth, report::Json::parse_event_t, const report::Json&) {
    return depth < deepest_value;
  };
  report::Json json = report::Json::parse(stream, shallow, false);
  const bool ours = json.is_object() && json.value("schema_version", report::Json()) == report::schema_version &&
                    json.value("devices", report::Json()).is_object();
  return ours ? json : empty_store();
}

// Through a file of another name, so that a reader never sees half a store.
void write_store(const std::filesystem::path& file, const report::Json& json) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  static_cast<void>(write_whole(file, report::dump(json)));
}

}  // namespace

VerificationStore::VerificationStore(std::filesystem::path file) : file_(std::move(file)) {}

std::filesystem::path VerificationStore::default_file() {
  const std::filesystem::path folder = user_folder("XDG_CACHE_HOME", ".cache");
  return folder.empty() ? folder : folder / "crosslane" / "verified.json";
}

std::optional<std::vector<std::string>> VerificationStore::broken_promises(const DeviceInfo& device) const {
  if (file_.empty() || device.uuid.empty()) {
    return std::nullopt;
  }
  try {
    const report::Json devices = read_store(file_).at("devices");
    const auto entry = devices.find(key_of(device));
    if (entry == devices.end()) {
      return std::nullopt;
    }
    return entry->at("broken").get<std::vector<std::string>>();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void VerificationStore::remember(const DeviceInfo& device, const std::vector<std::string>& broken) const {
  if (file_.empty() || device.uuid.empty()) {
    return;
  }
  try {
    report::Json json = read_store(file_);
    json["devices"][key_of(device)] = {{"broken", broken}};
    write_store(file_, json);
  } catch (const std::exception&) {
    // Knowing it next time is a convenience; the answer of this time does not depend on it.
    return;
  }
}

}  // namespace crosslane::cli
