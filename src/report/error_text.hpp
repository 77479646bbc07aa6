// Words for enumerations and errors, as people and JSON readers see them.
#pragma once

#include <string>
#include <string_view>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"

namespace crosslane::report {

/// "invalid_argument", "invalid_input", "unsupported", "device" or "compiler".
std::string_view name(ErrorCode code);

/// "gpu" or "software".
std::string_view name(DeviceKind kind);

/// The message, then each reason on a line of its own (or on its own lines), indented by two blanks; no newline at the
/// end. Safe to show, see printable().
std::string text(const Error& error);

}  // namespace crosslane::report
