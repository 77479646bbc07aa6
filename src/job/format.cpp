#include "job/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace crosslane::job {
namespace {

enum class Kind : std::uint8_t { hex, unsigned_integer, signed_integer, floating, boolean };

struct FormatRow {
  std::string_view name;
  std::uint32_t bytes;
  Kind kind;
  std::optional<TexelType> texels;
};

constexpr std::array<FormatRow, format_count> rows = {{
    {"Hex8", 1, Kind::hex, TexelType::u8},
    {"Hex16", 2, Kind::hex, TexelType::u16},
    {"Hex32", 4, Kind::hex, TexelType::u32},
    {"Hex64", 8, Kind::hex, TexelType::u64},
    {"UInt8", 1, Kind::unsigned_integer, TexelType::u8},
    {"UInt16", 2, Kind::unsigned_integer, TexelType::u16},
    {"UInt32", 4, Kind::unsigned_integer, TexelType::u32},
    {"UInt64", 8, Kind::unsigned_integer, TexelType::u64},
    {"Int8", 1, Kind::signed_integer, TexelType::i8},
    {"Int16", 2, Kind::signed_integer, TexelType::i16},
    {"Int32", 4, Kind::signed_integer, TexelType::i32},
    {"Int64", 8, Kind::signed_integer, TexelType::i64},
    {"Float16", 2, Kind::floating, TexelType::f16},
    {"Float32", 4, Kind::floating, TexelType::f32},
    {"Float64", 8, Kind::floating, std::nullopt},
    {"Depth32", 4, Kind::floating, TexelType::f32},
    {"Bool", 4, Kind::boolean, TexelType::u32},
}};

const FormatRow& row(Format format) { return rows.at(static_cast<std::size_t>(format)); }

tl::unexpected<Error> bad_number(std::string_view text, Format format, std::string_view why) {
  return fail(ErrorCode::invalid_input, fmt::format("'{}' is no {}: {}", text, name(format), why));
}

// Digits after a sign and a prefix that names their base.
std::optional<std::uint64_t> parse_magnitude(std::string_view digits) {
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0') {
    const char prefix = digits[1];
    base = prefix == 'x' || prefix == 'X' ? 16 : prefix == 'o' ? 8 : prefix == 'b' || prefix == 'B' ? 2 : 10;
    digits.remove_prefix(base == 10 ? 0 : 2);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && !digits.empty() ? std::optional(value) : std::nullopt;
}

Expected<std::uint64_t> parse_integer(std::string_view text, Format format) {
  const bool is_signed = row(format).kind == Kind::signed_integer;
  const bool negative = text.starts_with('-');
  const auto digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const auto magnitude = parse_magnitude(digits);
  if (!magnitude) {
    const bool too_long =
        !digits.empty() && std::ranges::all_of(digits, [](char digit) { return digit >= '0' && digit <= '9'; });
    return bad_number(text, format, too_long ? "it does not fit" : "write an integer");
  }
  if (negative && !is_signed) {
    return bad_number(text, format, "it is negative");
  }
  // Octal for some readers of such files and decimal for others.
  if (digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') {
    return bad_number(text, format, "leave out the zeros at its beginning, or write 0o for octal");
  }
  const auto bits = 8 * row(format).bytes;
  const auto most = std::numeric_limits<std::uint64_t>::max() >> (64 - bits + (is_signed ? 1 : 0));
  if (*magnitude > most + (negative ? 1 : 0)) {
    return bad_number(text, format, "it does not fit");
  }
  const auto value = negative ? ~*magnitude + 1 : *magnitude;
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

// YAML has its own words for what C knows as nan and inf.
std::string c_spelling(std::string_view text) {
  const bool negative = text.starts_with('-');
  const auto word = text.substr(negative || text.starts_with('+') ? 1 : 0);
  if (word == ".nan" || word == ".NaN" || word == ".NAN" || word == ".inf" || word == ".Inf" || word == ".INF") {
    return fmt::format("{}{}", negative ? "-" : "", word.substr(1));
  }
  return std::string(text);
}

template <typename Float, typename Parse>
std::optional<Float> parse_whole(const std::string& text, Parse parse) {
  char* end = nullptr;
  const Float value = parse(text.c_str(), &end);
  const bool blank_first = text.empty() || text[0] == ' ' || text[0] == '\t';
  return !blank_first && end == text.c_str() + text.size() ? std::optional(value) : std::nullopt;
}

template <typename Float, typename Bits, typename Parse>
Expected<std::uint64_t> parse_float(std::string_view text, Format format, Parse parse) {
  const auto value = parse_whole<Float>(c_spelling(text), parse);
  if (!value) {
    return bad_number(text, format, "write a number like 1.5, 0x1.8p0, nan or -inf");
  }
  const bool says_infinity = text.find_first_of("iI") != std::string_view::npos;
  if (std::isinf(*value) && !says_infinity) {
    return bad_number(text, format, "it is too large");
  }
  return std::bit_cast<Bits>(*value);
}

double half_value(std::uint64_t bits) {
  const auto exponent = static_cast<int>((bits >> 10U) & 0x1FU);
  const auto fraction = static_cast<double>(bits & 0x3FFU);
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  if (exponent == 0x1F) {
    return sign * (fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN());
  }
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

}  // namespace

std::string_view name(Format format) { return row(format).name; }

std::optional<Format> format_of(std::string_view name) {
  const auto* const found = std::ranges::find(rows, name, &FormatRow::name);
  return found == rows.end() ? std::nullopt : std::optional(static_cast<Format>(found - rows.begin()));
}

Format format_of(const spirv::ScalarInfo& type) {
  constexpr std::array<std::string_view, 4> kinds = {"Bool", "UInt", "Int", "Float"};
  if (type.kind == spirv::ScalarInfo::Kind::boolean) {
    return Format::boolean;
  }
  // Types of other widths, which Vulkan does not have, are taken for words.
  return format_of(fmt::format("{}{}", kinds.at(static_cast<std::size_t>(type.kind)), type.bits))
      .value_or(Format::hex32);
}

std::uint32_t size_of(Format format) { return row(format).bytes; }

Expected<std::uint64_t> parse_number(std::string_view text, Format format) {
  switch (format) {
    case Format::float32:
    case Format::depth32:
      return parse_float<float, std::uint32_t>(text, format, &std::strtof);
    case Format::float64:
      return parse_float<double, std::uint64_t>(text, format, &std::strtod);
    case Format::float16:
      if (text.find('.') != std::string_view::npos) {
        return bad_number(text, format, "16-bit floats are written as their bits, 0x3c00 for 1");
      }
      return parse_integer(text, format);
    case Format::boolean:
      if (text == "true" || text == "false") {
        return text == "true" ? 1 : 0;
      }
      return parse_integer(text, format);
    default:
      return parse_integer(text, format);
  }
}

std::uint64_t bits_of(std::span<const std::byte> bytes, Format format) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), size_of(format));  // the low bytes come first here and on every device
  return bits;
}

double float_value(std::uint64_t bits, Format format) {
  switch (format) {
    case Format::float16:
      return half_value(bits);
    case Format::float64:
      return std::bit_cast<double>(bits);
    default:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
}

std::string number_text(std::uint64_t bits, Format format) {
  const auto width = 8 * size_of(format);
  auto hexadecimal = fmt::format("0x{:0{}x}", bits, width / 4);
  switch (row(format).kind) {
    case Kind::hex:
      return hexadecimal;
    case Kind::signed_integer:
      return fmt::format("{}", static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width));
    case Kind::floating: {
      const double value = float_value(bits, format);
      const auto text =
          width == 64 || std::isnan(value) ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
      return width == 16 || std::isnan(value) ? fmt::format("{} ({})", text, hexadecimal) : text;
    }
    default:
      return fmt::format("{}", bits);
  }
}

std::optional<TexelFormat> texel_format(Format format, std::uint32_t channels) {
  const auto type = row(format).texels;
  return type ? std::optional(TexelFormat{*type, channels}) : std::nullopt;
}

}  // namespace crosslane::job
