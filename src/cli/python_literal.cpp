#include "cli/python_literal.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace crosslane::cli {
namespace {

using Kind = PythonLiteral::Kind;

constexpr int deepest = 32;  // a damaged file must not use up the stack
constexpr std::string_view blanks = " \t\n\r\f";
constexpr std::string_view word_characters =
    "abcdefghijklmnopqrstuvwxyz"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "0123456789_.+-";

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<PythonLiteral> whole() {
    std::optional<PythonLiteral> result = literal(0);
    skip_blanks();
    return rest_.empty() ? std::move(result) : std::nullopt;
  }

 private:
  std::optional<PythonLiteral> literal(int depth) {
    skip_blanks();
    if (rest_.empty() || depth > deepest) {
      return std::nullopt;
    }
    const std::string_view before = rest_;
    if (rest_.starts_with("u'") || rest_.starts_with("u\"")) {  // Python 2's mark of Unicode strings
      rest_.remove_prefix(1);
    }
    std::optional<PythonLiteral> result;
    switch (rest_.front()) {
      case '\'':
      case '"':
        result = string();
        break;
      case '(':
        result = sequence(Kind::tuple, ')', depth);
        break;
      case '[':
        result = sequence(Kind::list, ']', depth);
        break;
      case '{':
        result = sequence(Kind::dictionary, '}', depth);
        break;
      default:
        result = word();
    }
    if (result) {
      result->source = before.substr(0, before.size() - rest_.size());
    }
    return result;
  }

  std::optional<PythonLiteral> string() {
    const char quote = rest_.front();
    for (std::size_t i = 1; i < rest_.size() && rest_[i] != '\n'; ++i) {
      if (rest_[i] == quote) {
        return PythonLiteral{.kind = Kind::string, .text = taken(i + 1).substr(1, i - 1)};
      }
      if (rest_[i] == '\\') {
        ++i;
      }
    }
    return std::nullopt;
  }

  std::optional<PythonLiteral> word() {
    const std::size_t length = std::min(rest_.find_first_not_of(word_characters), rest_.size());
    if (length == 0) {
      return std::nullopt;
    }
    return PythonLiteral{.kind = Kind::word, .text = taken(length)};
  }

  std::optional<PythonLiteral> sequence(Kind kind, char close, int depth) {
    rest_.remove_prefix(1);
    PythonLiteral result{.kind = kind};
    bool may_follow = true;
    while (!take(close)) {
      if (!may_follow || !add_item(result, depth)) {
        return std::nullopt;
      }
      if (kind == Kind::dictionary && (!take(':') || !add_item(result, depth))) {
        return std::nullopt;
      }
      may_follow = take(',');
    }
    if (kind == Kind::tuple && result.items.size() == 1 && !may_follow) {
      return PythonLiteral(std::move(result.items.front()));  // (3) is 3, (3,) is a tuple
    }
    return result;
  }

  bool add_item(PythonLiteral& sequence, int depth) {
    std::optional<PythonLiteral> item = literal(depth + 1);
    if (!item) {
      return false;
    }
    sequence.items.push_back(*std::move(item));
    return true;
  }

  bool take(char character) {
    skip_blanks();
    const bool there = rest_.starts_with(character);
    rest_.remove_prefix(there ? 1 : 0);
    return there;
  }

  std::string_view taken(std::size_t length) {
    const std::string_view result = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return result;
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size())); }

  std::string_view rest_;
};

}  // namespace

std::optional<PythonLiteral> parse_python_literal(std::string_view text) { return Parser(text).whole(); }

}  // namespace crosslane::cli
