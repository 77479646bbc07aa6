// Fails a test of GoogleTest with what is found in a shader. Needs GoogleTest where it is included; the library does
// not.
#pragma once

#include <source_location>

#include <gtest/gtest.h>

#include "crosslane/check.hpp"

namespace crosslane {

/// EXPECT_TRUE(is_clean(report)): what was found is the message of the failure. Notes are no failures.
inline testing::AssertionResult is_clean(const CheckReport& report) {
  return (report.clean() ? testing::AssertionSuccess() : testing::AssertionFailure()) << describe(report);
}

/// Checks a shader and fails the test, at the caller's line, where it has errors or warnings or cannot be checked.
inline void expect_clean(const CheckRequest& request, const CheckOptions& options = {},
                         const std::source_location& where = std::source_location::current()) {
  const auto report = check(request, options);
  if (!report) {
    ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line())) << report.error().message;
  } else if (!report->clean()) {
    ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line())) << describe(*report);
  }
}

}  // namespace crosslane
