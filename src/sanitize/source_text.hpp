// The source that a module holds, line by line.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/error.hpp"

namespace crosslane::sanitize {

enum class Language : std::uint8_t { unknown, hlsl, glsl };

/// Chooses what is written as {HLSL|GLSL}: "take {SV_GroupIndex|gl_LocalInvocationIndex}"; "HLSL or GLSL" where the
/// language is unknown.
std::string in_language(std::string_view text, Language language);

class SourceText {
 public:
  /// Of the module's OpSource and DebugSource instructions. Errors: `invalid_input` for malformed words.
  static Expected<SourceText> of(std::span<const std::uint32_t> words);

  /// The line, counted from 1, without spaces around it; empty where the module does not hold it.
  [[nodiscard]] std::string line(const std::string& file, std::uint32_t number) const;

  [[nodiscard]] Language language() const { return language_; }

 private:
  Language language_ = Language::unknown;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace crosslane::sanitize
