#include "report/json_node.hpp"

#include <charconv>
#include <cstddef>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "report/printable.hpp"

namespace crosslane::report {
namespace {

constexpr std::size_t longest_shown = 40;

}  // namespace

void JsonNode::refuse(const char* wanted) const {
  std::string shown = json_->dump(-1, ' ', true, Json::error_handler_t::replace);
  if (shown.size() > longest_shown) {
    shown = shown.substr(0, longest_shown) + "…";
  }
  throw BadValue(fmt::format("{} is {}, and has to be {}", path_.empty() ? "the document" : path_, shown, wanted));
}

JsonNode JsonNode::at(const std::string& key) const {
  if (!json_->is_object()) {
    refuse("an object");
  }
  const auto found = json_->find(key);
  const std::string path = path_.empty() ? key : path_ + "." + key;
  if (found == json_->end()) {
    throw BadValue(path + " is missing");
  }
  return JsonNode(*found, path);
}

std::optional<JsonNode> JsonNode::find(const std::string& key) const {
  if (!json_->is_object()) {
    refuse("an object");
  }
  const auto found = json_->find(key);
  return found == json_->end() || found->is_null() ? std::nullopt : std::optional(at(key));
}

std::vector<JsonNode> JsonNode::items() const {
  if (!json_->is_array()) {
    refuse("an array");
  }
  std::vector<JsonNode> nodes;
  for (const Json& item : *json_) {
    nodes.emplace_back(item, fmt::format("{}[{}]", path_, nodes.size()));
  }
  return nodes;
}

std::string JsonNode::text() const {
  if (!json_->is_string()) {
    refuse("a text");
  }
  return json_->get<std::string>();
}

bool JsonNode::flag() const {
  if (!json_->is_boolean()) {
    refuse("true or false");
  }
  return json_->get<bool>();
}

std::uint64_t JsonNode::count() const {
  // Parsed ones are unsigned; others may be integers of any type.
  if (json_->is_number_unsigned() || (json_->is_number_integer() && json_->get<std::int64_t>() >= 0)) {
    return json_->get<std::uint64_t>();
  }
  std::uint64_t value = 0;
  if (json_->is_string()) {
    const auto& digits = json_->get_ref<const std::string&>();
    const char* const end = digits.data() + digits.size();
    if (const auto [rest, error] = std::from_chars(digits.data(), end, value); error == std::errc() && rest == end) {
      return value;
    }
  }
  refuse("a whole number that is not negative");
}

double JsonNode::number() const {
  if (json_->is_number()) {
    return json_->get<double>();
  }
  if (*json_ == "NaN") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (*json_ == "Infinity") {
    return std::numeric_limits<double>::infinity();
  }
  if (*json_ == "-Infinity") {
    return -std::numeric_limits<double>::infinity();
  }
  refuse("a number");
}

}  // namespace crosslane::report
