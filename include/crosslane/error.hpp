// Errors are values: a code, a message that names the file, the value and the mend, and the causes below it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace crosslane {

/// What kind of thing went wrong; the command line turns it into its exit code.
enum class ErrorCode {
  invalid_argument,  ///< a value the caller passed makes no sense
  invalid_input,     ///< a file or shader that cannot be read or is malformed
  unsupported,       ///< well-formed, but this device, compiler or build cannot do it
  device,            ///< the device or its driver failed
  compiler,          ///< the shader compiler is missing, unfit or failed by itself
};

/// A failure. `message` is one sentence for people; `reasons` are the causes below it, outermost first.
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string message;
  std::vector<std::string> reasons = {};
};

/// A value of type `T`, or the Error that prevented it.
template <typename T>
using Expected = tl::expected<T, Error>;

/// Makes the failed state of any Expected.
inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::vector<std::string> reasons = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(reasons)});
}

/// Passes an error up with one more sentence in front; what it said before becomes its first reason.
inline tl::unexpected<Error> fail_because(std::string message, Error cause) {
  cause.reasons.insert(cause.reasons.begin(), std::move(cause.message));
  return tl::unexpected<Error>(Error{cause.code, std::move(message), std::move(cause.reasons)});
}

}  // namespace crosslane
