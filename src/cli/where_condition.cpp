#include "cli/where_condition.hpp"

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace crosslane::cli {
namespace {

// The longer one first where two begin alike.
constexpr std::array<std::pair<std::string_view, Comparison>, 6> signs = {{
    {"==", Comparison::equal},
    {"!=", Comparison::not_equal},
    {"<=", Comparison::less_equal},
    {">=", Comparison::greater_equal},
    {"<", Comparison::less},
    {">", Comparison::greater},
}};

std::string_view without_spaces(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  const auto last = text.find_last_not_of(' ');
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

template <typename T>
Expected<ByComparison> compare_with(Comparison comparison, std::string_view digits, std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--where \"{}\": {} has no value '{}': name a number that it has", text,
                            name(scalar_type_of<T>), digits));
  }
  return ByComparison::of(comparison, value);
}

Expected<ByComparison> compare_with(Comparison comparison, std::string_view digits, std::string_view text,
                                    ScalarType type) {
  switch (type) {
    case ScalarType::u32:
      return compare_with<std::uint32_t>(comparison, digits, text);
    case ScalarType::i32:
      return compare_with<std::int32_t>(comparison, digits, text);
    case ScalarType::f32:
      return compare_with<float>(comparison, digits, text);
    case ScalarType::u64:
      return compare_with<std::uint64_t>(comparison, digits, text);
    case ScalarType::i64:
      return compare_with<std::int64_t>(comparison, digits, text);
    case ScalarType::f64:
      break;
  }
  return compare_with<double>(comparison, digits, text);
}

}  // namespace

Expected<ByComparison> parse_condition(std::string_view text, ScalarType type) {
  if (text == "nonzero") {
    return compare_with(Comparison::not_equal, "0", text, type);
  }
  if (text == "positive") {
    return compare_with(Comparison::greater, "0", text, type);
  }
  const std::string_view condition = without_spaces(text);
  for (const auto& [sign, comparison] : signs) {
    if (condition.starts_with(sign)) {
      return compare_with(comparison, without_spaces(condition.substr(sign.size())), text, type);
    }
  }
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("--where \"{}\" is no condition: use nonzero, positive, or one of == != < <= > >= and a number, "
                  "as \"> 0.5\"",
                  text));
}

}  // namespace crosslane::cli
