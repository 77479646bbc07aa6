// What flags of several verbs are checked for, in CLI11's form: what is wrong, or nothing.
#pragma once

#include <string>

namespace crosslane::cli {

inline std::string check_named(const std::string& file) {
  return file.empty() ? "name a file (a shell variable may be unset)" : "";
}

/// Verbs take an empty text for one that was not given: nobody writes it on purpose.
inline std::string check_given(const std::string& text) {
  return text.empty() ? "there is no value: give one, or leave the flag out (a shell variable may be unset)" : "";
}

/// CLI11's ranges let "nan" pass.
inline std::string check_number(const std::string& text) {
  return text.find_first_of("nN") == std::string::npos ? "" : text + " is no number";
}

}  // namespace crosslane::cli
