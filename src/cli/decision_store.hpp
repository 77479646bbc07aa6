// The file of decisions of the user that runs the program.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"
#include "crosslane/decisions.hpp"
#include "crosslane/error.hpp"
#include "crosslane/method.hpp"
#include "measure/decision.hpp"

namespace crosslane::cli {

/// crosslane/decisions.json below XDG_CONFIG_HOME, else below HOME/.config; empty where neither is set.
std::filesystem::path decision_file();

/// What is stored, and why it counts as nothing where the file is damaged or foreign.
struct DecisionsRead {
  StoredDecisions decisions;
  std::string problem;
};
DecisionsRead stored_decisions();

/// A decision in the form that is stored.
StoredDecision stored_form(const DeviceInfo& device, std::string algorithm, const measure::Decision& decision);

/// Replaces the file in one step. Errors: those of writing.
Expected<void> store_decisions(const StoredDecisions& decisions);

/// What automatic methods of a verb go by.
class Advice {
 public:
  /// Reads the file where one of the methods is automatic. A problem with it, and a decision that another driver has
  /// made void, are told: on standard error, or in the note where the output is JSON.
  Advice(const Console& console, const std::vector<Method>& methods, const DeviceInfo& device,
         std::string_view algorithm);
  Advice(const Advice&) = delete;
  Advice& operator=(const Advice&) = delete;
  ~Advice() = default;

  [[nodiscard]] const DecisionSource* source() const { return &decisions_; }

  /// What to say behind "chosen automatically" of a run by `ran`; empty where there is nothing.
  [[nodiscard]] std::string note(Method ran) const;

 private:
  StoredDecisions decisions_;
  const StoredDecision* decision_ = nullptr;  // for this device and algorithm
  std::string problem_;
};

/// Adds the note to the first outcome, which is the automatic one where there is any.
template <typename Runs>
void add_advice(Runs& runs, const Advice& advice) {
  auto& outcome = runs.outcomes.front();
  if (const std::string note = outcome.ran ? advice.note(*outcome.ran) : std::string(); !note.empty()) {
    outcome.note += (outcome.note.empty() ? "" : "; ") + note;
  }
}

}  // namespace crosslane::cli
