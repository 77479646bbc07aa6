// Errors that say first where they belong.
#pragma once

#include <string>
#include <utility>

#include "crosslane/error.hpp"

namespace crosslane::job {

/// The error with `where` and a colon before its message; its reasons stay.
inline tl::unexpected<Error> fail_in(const std::string& where, Error cause) {
  cause.message = where + ": " + cause.message;
  return tl::unexpected(std::move(cause));
}

}  // namespace crosslane::job
