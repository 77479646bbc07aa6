#include "cli/decision_store.hpp"

#include <system_error>

#include <fmt/format.h>

#include "cli/user_folder.hpp"
#include "cli/whole_file.hpp"

namespace crosslane::cli {

std::filesystem::path decision_file() {
  const std::filesystem::path folder = user_folder("XDG_CONFIG_HOME", ".config");
  return folder.empty() ? folder : folder / "crosslane" / "decisions.json";
}

StoredDecisions stored_decisions(const Console& console) {
  auto read = StoredDecisions::read(decision_file());
  if (!read) {
    report_progress(console, fmt::format("decisions are ignored: {}", read.error().message));
    return {};
  }
  return *std::move(read);
}

StoredDecisions decisions_for(const Console& console, const DeviceInfo& device, std::string_view algorithm) {
  StoredDecisions decisions = stored_decisions(console);
  if (const StoredDecision* const old = decisions.find_outdated(device, algorithm)) {
    report_progress(console,
                    fmt::format("the decision for {} on {} was made with driver {} and is not used with {}: "
                                "'crosslane decide {}' makes a fresh one",
                                algorithm, device.name, old->driver_version, device.driver_version, algorithm));
  }
  return decisions;
}

Expected<void> store_decisions(const StoredDecisions& decisions) {
  const std::filesystem::path file = decision_file();
  if (file.empty()) {
    return fail(ErrorCode::invalid_input,
                "there is no folder to store decisions in: set HOME, or XDG_CONFIG_HOME to an absolute path");
  }
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  return write_whole(file, decisions.text());
}

}  // namespace crosslane::cli
