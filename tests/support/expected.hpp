// Expected values in tests.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "crosslane/error.hpp"

namespace crosslane::test {

/// The message and its reasons, a line each.
inline std::string text(const Error& error) {
  std::string lines = error.message;
  for (const auto& reason : error.reasons) {
    lines += "\n  " + reason;
  }
  return lines;
}

/// The value; an error fails the test by being thrown.
template <typename T>
T must(Expected<T> result) {
  if (!result) {
    throw std::runtime_error(text(result.error()));
  }
  if constexpr (!std::is_void_v<T>) {
    return std::move(*result);
  }
}

/// Succeeds where `result` is an error of that code whose text holds `part`:
/// `EXPECT_TRUE(fails(device.submit(list), ErrorCode::invalid_argument, "submitted already"))`.
template <typename T>
testing::AssertionResult fails(const Expected<T>& result, ErrorCode code, std::string_view part) {
  if (result) {
    return testing::AssertionFailure() << "no error came";
  }
  const auto& error = result.error();
  if (error.code != code) {
    return testing::AssertionFailure() << "code " << static_cast<int>(error.code) << " instead of "
                                       << static_cast<int>(code) << ": " << text(error);
  }
  if (text(error).find(part) == std::string::npos) {
    return testing::AssertionFailure() << "\"" << part << "\" is not in: " << text(error);
  }
  return testing::AssertionSuccess() << text(error);
}

}  // namespace crosslane::test
