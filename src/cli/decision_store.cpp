#include "cli/decision_store.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/user_folder.hpp"
#include "cli/version.hpp"
#include "cli/whole_file.hpp"

namespace crosslane::cli {

std::filesystem::path decision_file() {
  const std::filesystem::path folder = user_folder("XDG_CONFIG_HOME", ".config");
  return folder.empty() ? folder : folder / "crosslane" / "decisions.json";
}

DecisionsRead stored_decisions() {
  auto read = StoredDecisions::read(decision_file());
  return read ? DecisionsRead{*std::move(read), ""}
              : DecisionsRead{{}, fmt::format("decisions are ignored: {}", read.error().message)};
}

StoredDecision stored_form(const DeviceInfo& device, std::string algorithm, const measure::Decision& decision) {
  StoredDecision stored;
  stored.device_uuid = device.uuid;
  stored.device_name = device.name;
  stored.driver_version = device.driver_version;
  stored.wave_size = device.wave_sizes.standard;
  stored.algorithm = std::move(algorithm);
  stored.answer = measure::name(decision.answer);
  stored.reason = decision.reason;
  stored.threshold = decision.threshold;
  if (decision.gain) {
    stored.gain = decision.gain->median;
  }
  stored.made = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::now()));
  stored.crosslane = version();
  return stored;
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

Advice::Advice(const Console& console, const std::vector<Method>& methods, const DeviceInfo& device,
               std::string_view algorithm) {
  if (std::ranges::find(methods, Method::automatic) == methods.end()) {
    return;
  }
  auto [decisions, problem] = stored_decisions();
  decisions_ = std::move(decisions);
  decision_ = decisions_.find(device, algorithm);
  if (const StoredDecision* const old = decisions_.find_outdated(device, algorithm)) {
    problem = fmt::format(
        "the decision for {} on {} was made with driver {} and is not used with {}: 'crosslane decide {}' makes a "
        "fresh one",
        algorithm, device.name, old->driver_version, device.driver_version, algorithm);
  }
  if (console.json) {
    problem_ = std::move(problem);
  } else if (!problem.empty()) {
    report_progress(console, problem);
  }
}

std::string Advice::note(Method ran) const {
  if (decision_ == nullptr) {
    return problem_;
  }
  const std::string which = fmt::format("the decision of {} ('crosslane decide --list')", decision_->made);
  if (decision_->answer == name(ran)) {
    return "by " + which;
  }
  return decision_->answer == measure::name(measure::Answer::ambiguous)
             ? fmt::format("by default, as {} is ambiguous", which)
             : fmt::format("{}, which says {}, cannot be obeyed", which, decision_->answer);
}

}  // namespace crosslane::cli
