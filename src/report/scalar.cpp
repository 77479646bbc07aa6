#include "report/scalar.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace crosslane::report {
namespace {

template <typename T>
Scalar read(std::span<const std::byte> bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

template <typename T>
bool same(T a, T b, double tolerance) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) {
      return std::isnan(a) && std::isnan(b);
    }
    if (a == b) {
      // Zeros of different sign are equal to ==, but a minimum that returns the wrong one is wrong.
      return tolerance > 0.0 || std::signbit(a) == std::signbit(b);
    }
    if (std::isinf(a) || std::isinf(b)) {  // no tolerance makes up for being infinite
      return false;
    }
    return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
  } else {
    return a == b;
  }
}

}  // namespace

Scalar scalar_from_bytes(ScalarType type, std::span<const std::byte> bytes) {
  switch (type) {
    case ScalarType::u32:
      return read<std::uint32_t>(bytes);
    case ScalarType::i32:
      return read<std::int32_t>(bytes);
    case ScalarType::f32:
      return read<float>(bytes);
    case ScalarType::u64:
      return read<std::uint64_t>(bytes);
    case ScalarType::i64:
      return read<std::int64_t>(bytes);
    case ScalarType::f64:
      return read<double>(bytes);
  }
  return std::uint32_t{0};
}

std::string text(const Scalar& scalar) {
  return std::visit(
      [](auto value) -> std::string {
        if constexpr (std::is_floating_point_v<decltype(value)>) {
          if (std::isnan(value)) {
            return "NaN";
          }
          if (std::isinf(value)) {
            return value > 0 ? "Infinity" : "-Infinity";
          }
        }
        return fmt::format("{}", value);
      },
      scalar);
}

bool agree(const Scalar& a, const Scalar& b, double tolerance) {
  return std::visit(
      [tolerance](auto left, auto right) {
        if constexpr (std::is_same_v<decltype(left), decltype(right)>) {
          return same(left, right, tolerance);
        } else {
          return false;
        }
      },
      a, b);
}

}  // namespace crosslane::report
