// The file of decisions of the user that runs the program.
#pragma once

#include <filesystem>
#include <string>

#include "cli/console.hpp"
#include "crosslane/decisions.hpp"
#include "crosslane/error.hpp"

namespace crosslane::cli {

/// crosslane/decisions.json below XDG_CONFIG_HOME, else below HOME/.config; empty where neither is set.
std::filesystem::path decision_file();

/// What is stored. A damaged or foreign file is told on standard error and counts as empty.
StoredDecisions stored_decisions(const Console& console);

/// The same for a verb that is about to run `algorithm` on `device`: says too where a decision is of another driver.
StoredDecisions decisions_for(const Console& console, const DeviceInfo& device, std::string_view algorithm);

/// Replaces the file in one step. Errors: those of writing.
Expected<void> store_decisions(const StoredDecisions& decisions);

}  // namespace crosslane::cli
