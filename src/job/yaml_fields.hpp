// Reading YAML strictly: every field is known, has the right form, and what is wrong is told with file, line and field.
//
// The first complaint is kept and reading goes on with harmless values, so that readers need not check at every step.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "crosslane/error.hpp"

namespace crosslane::job {

/// A file being read, and the first complaint about it.
class YamlText {
 public:
  /// `first_line` is the place of the text's first line in the file.
  YamlText(std::string file, std::uint32_t first_line) : file_(std::move(file)), first_line_(first_line) {}

  void complain(const YAML::Node& at, std::string_view field, std::string_view what);
  void complain_at_line(std::uint32_t line, std::string_view what);  ///< counted from 0
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::string file_;
  std::uint32_t first_line_;
  std::optional<Error> error_;
};

/// The fields of one mapping. Whoever is done reading calls `finish`, which complains about fields nobody asked for.
class YamlFields {
 public:
  /// `path` names the mapping in complaints: "Buffers[1]"; empty for the whole document.
  YamlFields(YamlText& text, const YAML::Node& node, std::string path);

  /// The field's node; nothing where it is not there.
  [[nodiscard]] std::optional<YAML::Node> find(std::string_view name);
  /// Likewise, with a complaint where it is not there.
  [[nodiscard]] std::optional<YAML::Node> require(std::string_view name);

  /// Scalars; `fallback` stands where the field is missing, and for values complained about.
  [[nodiscard]] std::string text(std::string_view name);      ///< required
  [[nodiscard]] std::uint32_t number(std::string_view name);  ///< required
  [[nodiscard]] std::uint32_t number(std::string_view name, std::uint32_t fallback);
  [[nodiscard]] std::optional<std::uint32_t> optional_number(std::string_view name);
  [[nodiscard]] double real(std::string_view name);  ///< required, not negative, not NaN
  [[nodiscard]] double real(std::string_view name, double fallback);
  [[nodiscard]] bool flag(std::string_view name);  ///< true, false, 1 or 0; false if missing

  /// The items of a list field; empty where it is missing.
  [[nodiscard]] std::vector<YAML::Node> list(std::string_view name);

  [[nodiscard]] std::string path_of(std::string_view name) const;
  void complain(std::string_view name, std::string_view what);
  void finish();

 private:
  YamlText* text_;
  YAML::Node node_;
  std::string path_;
  std::set<std::string, std::less<>> known_;
};

/// The scalar's text; complains about lists and mappings.
std::string scalar_text(YamlText& text, const YAML::Node& node, std::string_view field);

/// The items of a list node; complains about others.
std::vector<YAML::Node> list_items(YamlText& text, const YAML::Node& node, std::string_view field);

}  // namespace crosslane::job
