// How far tests sweep: enough for every day, or as far as they can where CROSSLANE_LONG_TESTS=1 is set, as
// scripts/test-all.sh does.
#pragma once

#include <cstdlib>
#include <string_view>

namespace crosslane::test {

/// Whether this is the long run.
inline bool long_run() {
  const char* const value = std::getenv("CROSSLANE_LONG_TESTS");  // NOLINT(concurrency-mt-unsafe): only read
  return value != nullptr && std::string_view(value) == "1";
}

/// The extent of a sweep (a number of seeds, a largest size …) in the run at hand.
template <typename T>
T extent(T every_day, T in_long_run) {
  return long_run() ? in_long_run : every_day;
}

}  // namespace crosslane::test
