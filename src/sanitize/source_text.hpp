// The source that a module holds, line by line.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "crosslane/error.hpp"

namespace crosslane::sanitize {

class SourceText {
 public:
  /// Of the module's OpSource and DebugSource instructions. Errors: `invalid_input` for malformed words.
  static Expected<SourceText> of(std::span<const std::uint32_t> words);

  /// The line, counted from 1, without spaces around it; empty where the module does not hold it.
  [[nodiscard]] std::string line(const std::string& file, std::uint32_t number) const;

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace crosslane::sanitize
