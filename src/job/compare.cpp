#include "job/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace crosslane::job {
namespace {

std::uint64_t sign_bit(Format format) { return std::uint64_t{1} << (8 * size_of(format) - 1); }

// Numbers on a line on which neighbours are one apart, from the most negative to the most positive.
std::uint64_t place_on_line(std::uint64_t bits, Format format) {
  const auto sign = sign_bit(format);
  return (bits & sign) != 0 ? sign - (bits & ~sign) : sign + bits;
}

std::uint64_t ulps_between(std::uint64_t a, std::uint64_t b, Format format) {
  const auto first = place_on_line(a, format);
  const auto second = place_on_line(b, format);
  return first > second ? first - second : second - first;
}

bool is_denormal(double value, Format format) {
  const double smallest_normal = format == Format::float16 ? 0x1p-14 : format == Format::float64 ? 0x1p-1022 : 0x1p-126;
  return value != 0 && std::abs(value) < smallest_normal;
}

bool floats_agree(const ExpectedResult& result, std::uint64_t actual_bits, std::uint64_t expected_bits, Format format) {
  const double actual = float_value(actual_bits, format);
  const double expected = float_value(expected_bits, format);
  if (actual == expected) {
    return true;
  }
  if (std::isnan(actual) || std::isnan(expected)) {
    return std::isnan(actual) && std::isnan(expected);
  }
  if (result.denormals == DenormMode::any && is_denormal(expected, format) && actual == 0 &&
      std::signbit(actual) == std::signbit(expected)) {
    return true;
  }
  if (result.rule == Rule::epsilon) {
    return std::abs(actual - expected) < result.epsilon;
  }
  return (expected == 0 && std::abs(actual) <= result.zero_tolerance) ||
         ulps_between(actual_bits, expected_bits, format) <= result.ulps;
}

}  // namespace

Verdict compare(const ExpectedResult& result, const JobBuffer& actual, const JobBuffer& expected) {
  Verdict verdict;
  if (size_of(actual.format) == size_of(expected.format)) {
    verdict.actual_format = actual.format;
    verdict.expected_format = expected.format;
  }
  if (actual.elements.size() != expected.elements.size() || actual.bytes() != expected.bytes()) {
    const auto size = [](const JobBuffer& buffer) {
      return buffer.elements.size() == 1 ? fmt::format("{} bytes", buffer.bytes())
                                         : fmt::format("{} times {} bytes", buffer.elements.size(), buffer.bytes());
    };
    verdict.holds = false;
    verdict.reason =
        fmt::format("'{}' has {}, but '{}' has {}", actual.name, size(actual), expected.name, size(expected));
    return verdict;
  }
  const auto step = size_of(verdict.actual_format);
  for (std::size_t element = 0; element < actual.elements.size(); ++element) {
    const std::span<const std::byte> actual_bytes(actual.elements[element]);
    const std::span<const std::byte> expected_bytes(expected.elements[element]);
    for (std::size_t at = 0; at + step <= actual_bytes.size(); at += step) {
      const auto left = bits_of(actual_bytes.subspan(at), verdict.actual_format);
      const auto right = bits_of(expected_bytes.subspan(at), verdict.expected_format);
      ++verdict.compared;
      const bool agree =
          result.rule == Rule::exact ? left == right : floats_agree(result, left, right, verdict.actual_format);
      if (agree) {
        continue;
      }
      ++verdict.differing;
      if (verdict.first.size() < most_differences) {
        verdict.first.push_back({element, at / step, left, right});
      }
    }
  }
  verdict.holds = verdict.differing == 0;
  return verdict;
}

}  // namespace crosslane::job
