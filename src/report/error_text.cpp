#include "report/error_text.hpp"

namespace crosslane::report {

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::invalid_input:
      return "invalid_input";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::device:
      return "device";
    case ErrorCode::compiler:
      return "compiler";
  }
  return "unknown";
}

std::string_view name(DeviceKind kind) { return kind == DeviceKind::gpu ? "gpu" : "software"; }

std::string text(const Error& error) {
  std::string text = error.message;
  for (const std::string& reason : error.reasons) {
    text += "\n  " + reason;
  }
  return text;
}

}  // namespace crosslane::report
