// The dumbest right reductions: one element after the other, in the widest type; and the reproducible tree, node by
// node.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "crosslane/reduction.hpp"

namespace crosslane::test {

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <typename T>
BitsOf<T> bits_of(T value) {
  return std::bit_cast<BitsOf<T>>(value);
}

/// Integers of all operators; minima and maxima of floats, where any NaN gives the quiet NaN and −0 is less than +0.
template <typename T>
T reduce_exactly(std::span<const T> values, Operator op) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    Unsigned bits = op == Operator::bit_and ? static_cast<Unsigned>(~Unsigned{0}) : Unsigned{0};
    T extreme = op == Operator::minimum ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
    for (const T value : values) {
      const auto word = static_cast<Unsigned>(value);
      switch (op) {
        case Operator::sum:
          bits += word;
          break;
        case Operator::bit_and:
          bits &= word;
          break;
        case Operator::bit_or:
          bits |= word;
          break;
        case Operator::bit_xor:
          bits ^= word;
          break;
        case Operator::minimum:
          extreme = value < extreme ? value : extreme;
          break;
        case Operator::maximum:
          extreme = value > extreme ? value : extreme;
          break;
      }
    }
    return op == Operator::minimum || op == Operator::maximum ? extreme : static_cast<T>(bits);
  } else {
    const auto less = [](T a, T b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); };
    T extreme = values[0];
    for (const T value : values) {
      if (std::isnan(value)) {
        return std::numeric_limits<T>::quiet_NaN();
      }
      if (op == Operator::minimum ? less(value, extreme) : less(extreme, value)) {
        extreme = value;
      }
    }
    return extreme;
  }
}

/// The reproducible sum: `block` elements at a time, dealt to 256 threads of 16 elements each, as docs/reduction.md
/// says.
template <typename T>
T sum_in_tree(std::vector<T> values) {
  constexpr std::size_t threads = 256;
  constexpr std::size_t per_thread = 16;
  const T nothing = -T{0};
  do {
    std::vector<T> results;
    for (std::size_t block = 0; block * threads * per_thread < values.size(); ++block) {
      std::vector<T> sums;
      for (std::size_t thread = 0; thread < threads; ++thread) {
        std::vector<T> own;
        for (std::size_t k = 0; k < per_thread; ++k) {
          const std::size_t i = (block * per_thread + k) * threads + thread;
          own.push_back(i < values.size() ? values[i] : nothing);
        }
        for (std::size_t half = per_thread / 2; half > 0; half /= 2) {
          for (std::size_t k = 0; k < half; ++k) {
            own[k] = own[k] + own[k + half];
          }
        }
        sums.push_back(own[0]);
      }
      while (sums.size() > 1) {
        std::vector<T> pairs;
        for (std::size_t i = 0; i < sums.size(); i += 2) {
          pairs.push_back(sums[i] + sums[i + 1]);
        }
        sums = pairs;
      }
      results.push_back(sums[0]);
    }
    values = results;
  } while (values.size() > 1);
  if (std::isnan(values[0])) {
    return std::numeric_limits<T>::quiet_NaN();
  }
  return values[0] == T{0} ? T{0} : values[0];
}

}  // namespace crosslane::test
