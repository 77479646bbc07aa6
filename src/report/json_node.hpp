// A value in a JSON document that knows its place, so that errors can name it.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "report/json.hpp"

namespace crosslane::report {

/// A value is missing or something else than it has to be. Readers of documents catch it and return an Error.
struct BadValue : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Every member that gives a value throws BadValue where there is none of its kind.
class JsonNode {
 public:
  /// `json` has to outlive the node.
  explicit JsonNode(const Json& json, std::string path = {}) : json_(&json), path_(std::move(path)) {}

  [[nodiscard]] JsonNode at(const std::string& key) const;
  /// Nothing where the key is missing or its value null.
  [[nodiscard]] std::optional<JsonNode> find(const std::string& key) const;
  /// Of an array.
  [[nodiscard]] std::vector<JsonNode> items() const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool flag() const;
  /// At least 0; large ones are strings, as exact() makes them.
  [[nodiscard]] std::uint64_t count() const;
  /// Not finite ones are strings, as exact() makes them.
  [[nodiscard]] double number() const;

 private:
  [[noreturn]] void refuse(const char* wanted) const;

  const Json* json_;
  std::string path_;
};

}  // namespace crosslane::report
