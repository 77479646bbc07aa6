#include "report/error_text.hpp"

#include "report/printable.hpp"

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

std::string_view name(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::gpu:
      return "gpu";
    case DeviceKind::machine:
      return "machine";
    default:
      return "software";
  }
}

std::string text(const Error& error) {
  std::string text = printable(error.message);
  for (std::string_view reason : error.reasons) {
    // The compiler's reasons have several lines.
    for (bool more = true; more;) {
      const std::size_t end = reason.find('\n');
      more = end != std::string_view::npos;
      text += "\n  " + printable(reason.substr(0, end));
      reason.remove_prefix(more ? end + 1 : 0);
    }
  }
  return text;
}

}  // namespace crosslane::report
