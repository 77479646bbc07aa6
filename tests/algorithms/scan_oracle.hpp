// The dumbest right scan: one element after the other, in the widest type.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/reduce_oracle.hpp"
#include "crosslane/operator.hpp"

namespace crosslane::test {

/// What an exclusive scan begins with.
template <typename T>
T identity_of(Operator op) {
  using Limits = std::numeric_limits<T>;
  if (op == Operator::sum) {
    return T{0};
  }
  if constexpr (std::is_floating_point_v<T>) {
    return op == Operator::minimum ? Limits::infinity() : -Limits::infinity();
  }
  return op == Operator::minimum ? Limits::max() : Limits::min();
}

/// Integers by sum, minimum and maximum; minima and maxima of floats as reduce_exactly has them.
template <typename T>
std::vector<T> scan_exactly(std::span<const T> values, Operator op, bool exclusive) {
  std::vector<T> results;
  results.reserve(values.size());
  T running = identity_of<T>(op);
  for (const T value : values) {
    if (exclusive) {
      results.push_back(running);
    }
    const T pair[] = {running, value};  // NOLINT(modernize-avoid-c-arrays)
    running = reduce_exactly<T>(pair, op);
    if (!exclusive) {
      results.push_back(running);
    }
  }
  return results;
}

/// Expects what the oracle gives: float sums within `error_bound` times Σ|x|, everything else bit by bit.
template <typename T>
void expect_scan(std::span<const T> values, std::span<const T> results, Operator op, bool exclusive, double error_bound,
                 const std::string& where) {
  ASSERT_EQ(values.size(), results.size()) << where;
  if (std::is_integral_v<T> || op != Operator::sum) {
    const std::vector<T> expected = scan_exactly<T>(values, op, exclusive);
    for (std::size_t i = 0; i < results.size(); ++i) {
      ASSERT_EQ(bits_of(results[i]), bits_of(expected[i]))
          << where << ", element " << i << ": " << results[i] << " for " << expected[i];
    }
    return;
  }
  long double sum = 0;
  long double magnitude = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto value = static_cast<long double>(values[i]);
    const long double expected = exclusive ? sum : sum + value;
    sum += value;
    magnitude += std::abs(value);
    ASSERT_LE(std::abs(static_cast<long double>(results[i]) - expected),
              static_cast<long double>(error_bound) * magnitude)
        << where << ", element " << i << ": " << results[i] << " for " << expected;
  }
}

}  // namespace crosslane::test
