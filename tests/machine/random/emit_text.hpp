// The text of a SPIR-V module while it grows: its lines, and the names of results, labels, constants and types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "machine/random/program_tree.hpp"

namespace crosslane::machine_tests {

class SpirvText {
 public:
  void line(std::string text) { lines_.push_back(std::move(text)); }

  /// A line that defines a result; gives its name.
  template <typename... Arguments>
  std::string define(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    auto name = fmt::format("%r{}", ++results_);
    line(name + " = " + fmt::format(form, std::forward<Arguments>(arguments)...));
    return name;
  }

  std::string new_label(std::string_view kind) { return fmt::format("%{}{}", kind, ++labels_); }

  std::string constant(std::uint32_t value);

  /// The type of functions from so many words to a word.
  std::string function_type(std::uint32_t parameters);

  /// How many lines there are, which is where the next one comes.
  [[nodiscard]] std::size_t size() const { return lines_.size(); }

  /// For lines whose end is known later only.
  void append(std::size_t line, std::string_view end) { lines_[line] += end; }

  /// All lines, behind what must come before them.
  [[nodiscard]] std::string module_of(const Program& program) const;

 private:
  std::vector<std::string> lines_;
  std::map<std::uint32_t, std::string> constants_;
  std::set<std::uint32_t> function_types_;
  std::size_t results_ = 0;
  std::size_t labels_ = 0;
};

}  // namespace crosslane::machine_tests
