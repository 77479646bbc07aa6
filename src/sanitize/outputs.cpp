#include "sanitize/outputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace crosslane::sanitize {
namespace {

std::uint64_t bits_at(std::span<const std::byte> bytes, std::uint64_t number, std::uint32_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + number * size, size);
  return bits;
}

double float_at(std::span<const std::byte> bytes, std::uint64_t number, std::uint32_t size) {
  if (size == sizeof(double)) {
    double value = 0;
    std::memcpy(&value, bytes.data() + number * size, size);
    return value;
  }
  float value = 0;
  std::memcpy(&value, bytes.data() + number * sizeof(float), sizeof(float));
  return static_cast<double>(value);
}

std::vector<std::uint64_t> sorted_numbers(std::span<const std::byte> bytes, std::uint32_t size) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = 0; number < bytes.size() / size; ++number) {
    numbers.push_back(bits_at(bytes, number, size));
  }
  std::ranges::sort(numbers);
  return numbers;
}

// Sums of floats round differently in another order: what is as close as that is the same.
bool same_floats(double a, double b, double largest) {
  constexpr double relative = 1e-3;
  constexpr double of_largest = 1e-5;
  return a == b || (std::isnan(a) && std::isnan(b)) ||
         std::abs(a - b) <= std::max(relative * std::max(std::abs(a), std::abs(b)), of_largest * largest);
}

double largest_float(std::span<const std::byte> bytes, std::uint32_t size) {
  double largest = 0;
  for (std::uint64_t number = 0; number < bytes.size() / size; ++number) {
    const double value = std::abs(float_at(bytes, number, size));
    largest = std::isfinite(value) ? std::max(largest, value) : largest;
  }
  return largest;
}

std::optional<OutputDifference> compare(const CheckResource& resource, std::span<const std::byte> a,
                                        std::span<const std::byte> b) {
  const auto size = resource.number_bytes;
  if (resource.unordered) {
    const auto in_a = sorted_numbers(a, size);
    const auto in_b = sorted_numbers(b, size);
    const auto [x, y] = std::ranges::mismatch(in_a, in_b);
    return x == in_a.end() ? std::nullopt
                           : std::optional(OutputDifference{0, static_cast<std::uint64_t>(x - in_a.begin()),
                                                            fmt::format("{} and {}", *x, *y)});
  }
  const bool floats = resource.floats && (size == sizeof(float) || size == sizeof(double));
  const double largest = floats ? std::max(largest_float(a, size), largest_float(b, size)) : 0;
  for (std::uint64_t number = 0; number < a.size() / size; ++number) {
    if (std::memcmp(a.data() + number * size, b.data() + number * size, size) == 0) {
      continue;
    }
    if (!floats) {
      return OutputDifference{0, number, fmt::format("{} and {}", bits_at(a, number, size), bits_at(b, number, size))};
    }
    const double x = float_at(a, number, size);
    const double y = float_at(b, number, size);
    if (!same_floats(x, y, largest)) {
      return OutputDifference{0, number, fmt::format("{} and {}", x, y)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<OutputDifference> first_difference(std::span<const CheckResource> resources, const Outputs& a,
                                                 const Outputs& b, bool sizes) {
  for (std::size_t index = 0; index < resources.size(); ++index) {
    const auto& resource = resources[index];
    if (!resource.output || (sizes && resource.may_vary) || a[index] == b[index]) {
      continue;
    }
    if (auto difference = compare(resource, a[index], b[index])) {
      difference->resource = index;
      return difference;
    }
  }
  return std::nullopt;
}

}  // namespace crosslane::sanitize
