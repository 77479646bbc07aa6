#include "cli/where_condition.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace crosslane::cli {
namespace {

constexpr std::array<std::pair<std::string_view, Comparison>, 6> signs = {{
    {"==", Comparison::equal},
    {"!=", Comparison::not_equal},
    {"<=", Comparison::less_equal},
    {">=", Comparison::greater_equal},
    {"<", Comparison::less},
    {">", Comparison::greater},
}};
constexpr std::string_view sign_characters = "=!<>";
constexpr std::string_view digit_characters = "0123456789";

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const auto first = text.find_first_not_of(blanks);
  const auto last = text.find_last_not_of(blanks);
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

// Reads as std::from_chars does, and a plus sign too.
template <typename T>
std::errc read(std::string_view number, T& value) {
  if (number.starts_with('+') && number.find_first_of("+-", 1) != 1) {
    number.remove_prefix(1);
  }
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  return error == std::errc() && end != number.data() + number.size() ? std::errc::invalid_argument : error;
}

bool is_decimal(std::string_view number) {
  double value = 0.0;
  // from_chars reads nan(…) with whatever stands there.
  return read(number, value) != std::errc::invalid_argument && number.find('(') == std::string_view::npos;
}

// What is wrong with the number, and the mend; nothing where it was read.
template <typename T>
std::optional<std::string> read_integer(std::string_view number, T& value) {
  const bool negative = number.starts_with('-');
  const std::string_view digits = number.substr(negative || number.starts_with('+') ? 1 : 0);
  const auto type = name(scalar_type_of<T>);
  if (digits.find_first_not_of(digit_characters) != std::string_view::npos || digits.empty()) {
    return fmt::format("{} is no whole number in decimal digits, as elements of type {} need: write one, as 5", number,
                       type);
  }
  // −0 is 0, also where there are no other negative numbers.
  const bool zero = digits.find_first_not_of('0') == std::string_view::npos;
  if (read(zero ? digits : number, value) != std::errc()) {
    return fmt::format("{} is beyond the values of {}: write a number from {} to {}", number, type,
                       std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  }
  return std::nullopt;
}

template <typename T>
std::optional<std::string> read_float(std::string_view number, T& value) {
  if (read(number, value) == std::errc()) {
    return std::nullopt;
  }
  const auto type = name(scalar_type_of<T>);
  // from_chars does not say at which end of the range a number lies; a double does, or is 0 or infinite itself.
  if (std::abs(std::strtod(std::string(number).c_str(), nullptr)) < 1.0) {
    return fmt::format("{} is too small for {}, whose smallest positive value is {}: compare with that, or with 0",
                       number, type, std::numeric_limits<T>::denorm_min());
  }
  return fmt::format("{} is too large for {}, whose largest value is {}: compare with that, or with inf", number, type,
                     std::numeric_limits<T>::max());
}

template <typename T>
Expected<ByComparison> compare_with(Comparison comparison, std::string_view number, std::string_view text) {
  T value{};
  std::optional<std::string> fault;
  if (number.empty()) {
    fault = "no number follows the sign: add one, as > 5";
  } else if (!is_decimal(number)) {
    fault = fmt::format("{} is no decimal number: write one, as > 5", number);
  } else if constexpr (std::is_floating_point_v<T>) {
    fault = read_float(number, value);
  } else {
    fault = read_integer(number, value);
  }
  if (fault) {
    return fail(ErrorCode::invalid_argument, fmt::format("--where \"{}\": {}", text, *fault));
  }
  return ByComparison::of(comparison, value);
}

Expected<ByComparison> compare_with(Comparison comparison, std::string_view number, std::string_view text,
                                    ScalarType type) {
  switch (type) {
    case ScalarType::u32:
      return compare_with<std::uint32_t>(comparison, number, text);
    case ScalarType::i32:
      return compare_with<std::int32_t>(comparison, number, text);
    case ScalarType::f32:
      return compare_with<float>(comparison, number, text);
    case ScalarType::u64:
      return compare_with<std::uint64_t>(comparison, number, text);
    case ScalarType::i64:
      return compare_with<std::int64_t>(comparison, number, text);
    case ScalarType::f64:
      break;
  }
  return compare_with<double>(comparison, number, text);
}

}  // namespace

Expected<ByComparison> parse_condition(std::string_view text, ScalarType type) {
  const std::string_view condition = without_blanks(text);
  if (condition == "nonzero") {
    return compare_with(Comparison::not_equal, "0", text, type);
  }
  if (condition == "positive") {
    return compare_with(Comparison::greater, "0", text, type);
  }
  const auto sign = condition.substr(0, condition.find_first_not_of(sign_characters));
  if (sign.empty()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--where \"{}\" is no condition: use nonzero, positive, or one of == != < <= > >= and a "
                            "number, as \"> 0.5\"",
                            text));
  }
  for (const auto& [known, comparison] : signs) {
    if (sign == known) {
      return compare_with(comparison, without_blanks(condition.substr(sign.size())), text, type);
    }
  }
  return fail(ErrorCode::invalid_argument,
              fmt::format("--where \"{}\": {} is no comparison: use one of == != < <= > >=", text, sign));
}

}  // namespace crosslane::cli
