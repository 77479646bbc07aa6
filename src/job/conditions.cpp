#include "job/conditions.hpp"

#include <fmt/format.h>

#include <cctype>
#include <optional>

namespace crosslane::job {
namespace {

bool is_name_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
         std::string_view("-+=._").find(letter) != std::string_view::npos;
}

// One function per level of binding, loosest first; nothing where the text is no condition.
class Parser {
 public:
  Parser(std::string_view text, const HasFeature& has) : rest_(text), has_(&has) {}

  std::optional<bool> whole() {
    const auto value = any(0);
    skip_blanks();
    return rest_.empty() ? value : std::nullopt;
  }

 private:
  static constexpr int deepest = 100;

  void skip_blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) {
      rest_.remove_prefix(1);
    }
  }

  bool take(std::string_view token) {
    skip_blanks();
    if (!rest_.starts_with(token)) {
      return false;
    }
    rest_.remove_prefix(token.size());
    return true;
  }

  std::optional<bool> any(int depth) {
    auto value = all(depth);
    while (value && take("||")) {
      const auto next = all(depth);
      value = next ? std::optional(*value || *next) : std::nullopt;
    }
    return value;
  }

  std::optional<bool> all(int depth) {
    auto value = one(depth);
    while (value && take("&&")) {
      const auto next = one(depth);
      value = next ? std::optional(*value && *next) : std::nullopt;
    }
    return value;
  }

  std::optional<bool> one(int depth) {
    if (depth > deepest) {
      return std::nullopt;
    }
    if (take("!")) {
      const auto value = one(depth + 1);
      return value ? std::optional(!*value) : std::nullopt;
    }
    if (take("(")) {
      const auto value = any(depth + 1);
      return take(")") ? value : std::nullopt;
    }
    if (take("*")) {
      return true;
    }
    skip_blanks();
    std::size_t length = 0;
    while (length < rest_.size() && is_name_letter(rest_[length])) {
      ++length;
    }
    if (length == 0) {
      return std::nullopt;
    }
    const auto name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return name == "true" || (name != "false" && (*has_)(name));
  }

  std::string_view rest_;
  const HasFeature* has_;
};

}  // namespace

Expected<bool> holds(std::string_view condition, const HasFeature& has) {
  if (const auto value = Parser(condition, has).whole()) {
    return *value;
  }
  return fail(ErrorCode::invalid_input,
              fmt::format("'{}' is no condition: write names of features with !, &&, || and parentheses", condition));
}

}  // namespace crosslane::job
