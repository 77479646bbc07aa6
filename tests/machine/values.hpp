// Operands for one-instruction tests: the edges of every type, and random ones.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "machine/half.hpp"

namespace crosslane::test {

/// A boolean as it is stored.
enum class Truth : std::uint32_t { no, yes };

template <typename T>
constexpr bool is_real = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

/// What oracles compute with.
template <typename T>
long double real(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return static_cast<long double>(to_double(value));
  } else {
    return static_cast<long double>(value);
  }
}

/// The number, rounded once to T.
template <typename T>
T rounded(long double value) {
  if constexpr (std::is_same_v<T, Half>) {
    return to_half(value);
  } else {
    return static_cast<T>(value);
  }
}

template <typename T>
std::vector<T> edges() {
  if constexpr (std::is_same_v<T, Truth>) {
    return {Truth::no, Truth::yes};
  } else if constexpr (is_real<T>) {
    std::vector<T> values;
    for (const long double value : {0.0L, 0.5L, 1.0L, 1.5L, 2.0L, 2.5L, 3.0L, 0.1L, 7.75L, 127.5L, 255.0L, 2048.0L,
                                    2049.0L, 32767.5L, 65504.0L, 65520.0L, 1e9L, 4294967296.0L, 1e20L}) {
      values.push_back(rounded<T>(value));
    }
    // The smallest and largest denormal, the smallest normal number and its neighbour, the largest, infinity, NaN.
    if constexpr (std::is_same_v<T, Half>) {
      for (const int bits : {0x0001, 0x0002, 0x03FF, 0x0400, 0x0401, 0x3BFF, 0x3C01, 0x7BFF, 0x7C00, 0x7E00}) {
        values.push_back({static_cast<std::uint16_t>(bits)});
      }
    } else {
      using Limits = std::numeric_limits<T>;
      for (const T value : {Limits::denorm_min(), Limits::min() - Limits::denorm_min(), Limits::min(),
                            Limits::min() * (1 + Limits::epsilon()), 1 - Limits::epsilon() / 2, 1 + Limits::epsilon(),
                            1 / Limits::epsilon() + T{0.5}, Limits::max(), Limits::infinity(), Limits::quiet_NaN()}) {
        values.push_back(value);
      }
    }
    const auto positive = values;
    for (const auto value : positive) {
      if constexpr (std::is_same_v<T, Half>) {
        values.push_back({static_cast<std::uint16_t>(value.bits | 0x8000U)});
      } else {
        values.push_back(-value);
      }
    }
    return values;
  } else {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values = {0, 1, 2, 3, 5, 7, 8, 31, Limits::min(), Limits::max()};
    values.push_back(static_cast<T>(Limits::max() - 1));
    values.push_back(static_cast<T>(Limits::max() / 2 + 1));
    values.push_back(static_cast<T>(Limits::min() + 1));
    values.push_back(static_cast<T>(-1));
    values.push_back(static_cast<T>(-2));
    values.push_back(static_cast<T>(0x5555555555555555U));
    return values;
  }
}

/// Operands drawn from the edges, from all bit patterns, and, floats, from numbers of usual size.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  template <typename T>
  T one() {
    static const std::vector<T> edge_values = edges<T>();
    const auto kind = random_() % 4;
    if (std::is_same_v<T, Truth> || kind < 2) {
      return edge_values[random_() % edge_values.size()];
    }
    if constexpr (is_real<T>) {
      if (kind == 2) {
        return rounded<T>(static_cast<long double>(std::uniform_real_distribution<double>(-20, 20)(random_)));
      }
    }
    return any_bits<T>();
  }

  /// `count` operands; of unary instructions all edges are among them.
  template <typename T>
  std::vector<T> some(std::size_t count) {
    auto values = edges<T>();
    values.resize(std::min(values.size(), count));
    while (values.size() < count) {
      values.push_back(one<T>());
    }
    std::shuffle(values.begin(), values.end(), random_);
    return values;
  }

  /// `count` numbers between two, of which `low` and `high` are two.
  template <typename T>
  std::vector<T> between(long double low, long double high, std::size_t count) {
    std::uniform_real_distribution<double> place(0, 1);
    std::vector<T> values = {rounded<T>(low), rounded<T>(high)};
    while (values.size() < count) {
      values.push_back(rounded<T>(low + (high - low) * static_cast<long double>(place(random_))));
    }
    return values;
  }

 private:
  template <typename T>
  T any_bits() {
    if constexpr (sizeof(T) == 1) {
      return std::bit_cast<T>(static_cast<std::uint8_t>(random_()));
    } else if constexpr (sizeof(T) == 2) {
      return std::bit_cast<T>(static_cast<std::uint16_t>(random_()));
    } else if constexpr (sizeof(T) == 4) {
      return std::bit_cast<T>(static_cast<std::uint32_t>(random_()));
    } else {
      return std::bit_cast<T>(random_());
    }
  }

  std::mt19937_64 random_;
};

}  // namespace crosslane::test
