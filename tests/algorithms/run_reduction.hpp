// Runs one reduction on a device, and compares its result with the oracle.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/reduce_oracle.hpp"
#include "crosslane/reduction.hpp"
#include "support/expected.hpp"

namespace crosslane::test {

/// Integers of the whole range, floats from −1 to 1.
template <typename T>
std::vector<T> random_values(std::size_t count, std::uint64_t seed = 0) {
  std::mt19937_64 random(count + (seed << 32U));
  std::vector<T> values(count);
  for (T& value : values) {
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(random());
    } else {
      value = static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(random));
    }
  }
  return values;
}

/// One plan and what it needs; runs it on values that begin at element `first` of their buffer.
template <typename T>
class Reducer {
 public:
  Reducer(Device& device, ReductionOptions options) : device_(device) {
    options.type = scalar_type_of<T>;
    auto created = Reduction::create(device, options);
    EXPECT_TRUE(created.has_value()) << (created ? "" : created.error().message);
    reduction_ = std::make_unique<Reduction>(std::move(*created));
  }

  Reduction& plan() { return *reduction_; }

  /// The result lies between guard elements, which must stay as they are. With `count_on_device` the reduction is
  /// recorded with an indirect count, that one.
  T operator()(const std::vector<T>& values, std::uint64_t first = 0,
               std::optional<std::uint64_t> count_on_device = {}) {
    const T guard = static_cast<T>(77);
    std::vector<T> padded(first, guard);
    padded.insert(padded.end(), values.begin(), values.end());
    padded.push_back(guard);
    std::vector<T> outputs(5, guard);
    auto input = device_.create_buffer({padded.size() * sizeof(T), MemoryKind::device}).value();
    auto output = device_.create_buffer({outputs.size() * sizeof(T), MemoryKind::device}).value();
    auto list = device_.create_command_list().value();
    const auto done =
        upload(device_, *input, std::as_bytes(std::span(padded)))
            .and_then([&] { return upload(device_, *output, std::as_bytes(std::span(outputs))); })
            .and_then([&] {
              if (count_on_device) {
                counts_ = must(device_.create_buffer({16, MemoryKind::device}));
                must(upload(device_, *counts_, std::as_bytes(std::span(&*count_on_device, 1)), 8));
                return reduction_->record_indirect(*list, *input, first * sizeof(T), *counts_, 8, values.size(),
                                                   *output, 3 * sizeof(T));
              }
              return reduction_->record(*list, *input, first * sizeof(T), values.size(), *output, 3 * sizeof(T));
            })
            .and_then([&] { return run(device_, *list); })
            .and_then([&] { return download(device_, *output, std::as_writable_bytes(std::span(outputs))); });
    EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().message);
    for (const std::size_t i : {0U, 1U, 2U, 4U}) {
      EXPECT_EQ(outputs[i], guard) << "output element " << i << " was overwritten";
    }
    return outputs[3];
  }

 private:
  Device& device_;
  std::unique_ptr<Reduction> reduction_;
  std::unique_ptr<Buffer> counts_;
};

/// Expects what the oracle gives: float sums within `error_bound` times Σ|x|, everything else bit by bit.
template <typename T>
void expect_result(const std::vector<T>& values, T result, Operator op, double error_bound, const std::string& where) {
  if (std::is_integral_v<T> || op != Operator::sum) {
    EXPECT_EQ(bits_of(result), bits_of(reduce_exactly<T>(values, op))) << where;
    return;
  }
  long double sum = 0;
  long double magnitude = 0;
  for (const T value : values) {
    sum += static_cast<long double>(value);
    magnitude += std::abs(static_cast<long double>(value));
  }
  EXPECT_LE(std::abs(static_cast<long double>(result) - sum), static_cast<long double>(error_bound) * magnitude)
      << where;
}

}  // namespace crosslane::test
