#include "job/yaml_fields.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "job/format.hpp"

namespace crosslane::job {

void YamlText::complain(const YAML::Node& at, std::string_view field, std::string_view what) {
  const auto line = at.IsDefined() && at.Mark().line >= 0 ? static_cast<std::uint32_t>(at.Mark().line) : 0U;
  complain_at_line(line, field.empty() ? std::string(what) : fmt::format("{}: {}", field, what));
}

void YamlText::complain_at_line(std::uint32_t line, std::string_view what) {
  if (!error_) {
    error_ = Error{ErrorCode::invalid_input, fmt::format("{}:{}: {}", file_, first_line_ + line, what)};
  }
}

std::string scalar_text(YamlText& text, const YAML::Node& node, std::string_view field) {
  if (!node.IsScalar()) {
    text.complain(node, field, "write one value here");
    return "";
  }
  return node.Scalar();
}

std::vector<YAML::Node> list_items(YamlText& text, const YAML::Node& node, std::string_view field) {
  if (!node.IsSequence()) {
    text.complain(node, field, "write a list here");
    return {};
  }
  return {node.begin(), node.end()};
}

YamlFields::YamlFields(YamlText& text, const YAML::Node& node, std::string path)
    : text_(&text), node_(node), path_(std::move(path)) {
  if (!node_.IsMap()) {
    text_->complain(node_, path_, "write fields with names here");
    node_ = YAML::Node(YAML::NodeType::Map);
    return;
  }
  std::set<std::string> seen;
  for (const auto& field : node_) {
    if (!field.first.IsScalar()) {
      text_->complain(field.first, path_, "a field's name is a word");
    } else if (!seen.insert(field.first.Scalar()).second) {
      text_->complain(field.first, path_of(field.first.Scalar()), "this field is there twice");
    }
  }
}

std::string YamlFields::path_of(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

void YamlFields::complain(std::string_view name, std::string_view what) {
  const YAML::Node field = std::as_const(node_)[std::string(name)];
  text_->complain(field.IsDefined() ? field : node_, path_of(name), what);
}

std::optional<YAML::Node> YamlFields::find(std::string_view name) {
  known_.emplace(name);
  const YAML::Node field = std::as_const(node_)[std::string(name)];
  return field.IsDefined() ? std::optional(field) : std::nullopt;
}

std::optional<YAML::Node> YamlFields::require(std::string_view name) {
  auto field = find(name);
  if (!field) {
    text_->complain(node_, path_of(name), "this field is missing");
  }
  return field;
}

std::string YamlFields::text(std::string_view name) {
  const auto field = require(name);
  return field ? scalar_text(*text_, *field, path_of(name)) : "";
}

std::optional<std::uint32_t> YamlFields::optional_number(std::string_view name) {
  const auto field = find(name);
  if (!field) {
    return std::nullopt;
  }
  const auto value = parse_number(scalar_text(*text_, *field, path_of(name)), Format::uint32);
  if (!value) {
    text_->complain(*field, path_of(name), value.error().message);
    return 0;
  }
  return static_cast<std::uint32_t>(*value);
}

std::uint32_t YamlFields::number(std::string_view name, std::uint32_t fallback) {
  return optional_number(name).value_or(fallback);
}

std::uint32_t YamlFields::number(std::string_view name) { return require(name) ? number(name, 0) : 0; }

double YamlFields::real(std::string_view name, double fallback) {
  const auto field = find(name);
  if (!field) {
    return fallback;
  }
  const auto bits = parse_number(scalar_text(*text_, *field, path_of(name)), Format::float64);
  if (!bits) {
    text_->complain(*field, path_of(name), bits.error().message);
    return fallback;
  }
  const double value = float_value(*bits, Format::float64);
  if (std::isnan(value) || value < 0) {
    text_->complain(*field, path_of(name), "write a number that is 0 or more");
  }
  return value;
}

double YamlFields::real(std::string_view name) { return require(name) ? real(name, 0) : 0; }

bool YamlFields::flag(std::string_view name) {
  const auto field = find(name);
  if (!field) {
    return false;
  }
  const auto word = scalar_text(*text_, *field, path_of(name));
  if (word != "true" && word != "false" && word != "1" && word != "0") {
    text_->complain(*field, path_of(name), fmt::format("'{}' is neither true nor false", word));
  }
  return word == "true" || word == "1";
}

std::vector<YAML::Node> YamlFields::list(std::string_view name) {
  const auto field = find(name);
  return field && !field->IsNull() ? list_items(*text_, *field, path_of(name)) : std::vector<YAML::Node>();
}

void YamlFields::finish() {
  for (const auto& field : node_) {
    if (field.first.IsScalar() && !known_.contains(field.first.Scalar())) {
      text_->complain(field.first, path_of(field.first.Scalar()), "there is no such field");
    }
  }
}

}  // namespace crosslane::job
