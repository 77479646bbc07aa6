// Compares an instruction with an oracle, value by value, at every wave size.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "machine/one_instruction.hpp"
#include "machine/values.hpp"
#include "support/assemble.hpp"

namespace crosslane::test {

template <typename T>
Type type_of(std::uint32_t rows = 1) {
  if constexpr (std::is_same_v<T, Truth>) {
    return {'b', 32, rows};
  } else {
    return {is_real<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u', static_cast<std::uint32_t>(8 * sizeof(T)), rows};
  }
}

/// A result that may be off by `error`; where `any` is set nothing is asked of it.
struct Near {
  long double value = 0;
  long double error = 0;
  bool any = false;
};
constexpr Near anything{0, 0, true};

/// The distance from one number of T to the next, at `value`.
template <typename T>
long double unit_in_last_place(long double value) {
  constexpr int digits = std::is_same_v<T, Half> ? 11 : std::numeric_limits<T>::digits;
  constexpr int least = std::is_same_v<T, Half> ? -13 : std::numeric_limits<T>::min_exponent;
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0L, std::max(exponent, least) - digits);
}

/// Within `ulps` of T.
template <typename T>
Near within(long double value, long double ulps) {
  return {value, ulps * unit_in_last_place<T>(value)};
}

/// `f` of the operands, rounded once: halves have no arithmetic of their own.
template <typename T, typename F>
T computed(F f, std::same_as<T> auto... operands) {
  if constexpr (std::is_same_v<T, Half>) {
    return rounded<T>(f(real(operands)...));
  } else {
    return f(operands...);
  }
}

/// The largest finite T.
template <typename T>
long double largest() {
  if constexpr (std::is_same_v<T, Half>) {
    return 65504;
  } else {
    return std::numeric_limits<T>::max();
  }
}

template <typename T>
bool agrees(T actual, T expected) {
  if constexpr (is_real<T>) {
    if (std::isnan(real(expected))) {
      return std::isnan(real(actual));
    }
  }
  return std::memcmp(&actual, &expected, sizeof(T)) == 0;
}

template <typename T>
bool agrees(T actual, Near expected) {
  const long double value = real(actual);
  if (expected.any || std::isnan(expected.value)) {
    return expected.any || std::isnan(value);
  }
  if (std::isinf(expected.value)) {
    return value == expected.value;
  }
  if (std::isinf(value)) {
    return std::fabs(expected.value) + expected.error > largest<T>() && (value > 0) == (expected.value > 0);
  }
  return std::fabs(value - expected.value) <= expected.error;
}

template <typename T>
std::string shown(T value) {
  if constexpr (is_real<T>) {
    return fmt::format("{}", static_cast<double>(real(value)));
  } else if constexpr (std::is_same_v<T, Truth>) {
    return value == Truth::no ? "false" : "true";
  } else {
    return fmt::format("{}", value);
  }
}
inline std::string shown(Near near) {
  return fmt::format("{} ± {}", static_cast<double>(near.value), static_cast<double>(near.error));
}

/// Operands of one place; `scalar` where the instruction takes no vector there.
template <typename T>
struct Operands {
  std::vector<T> values;
  bool scalar = false;
};

template <typename T>
std::vector<std::byte> bytes_of_values(std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

/// How an instruction is written, and what stands around it.
struct Form {
  std::string body;
  std::string declarations = {};
  std::vector<std::uint32_t> rows = {1, 3};  ///< components that it is tried with
  std::string variables = {};
};

/// Runs the instruction for `count` threads at every wave size. `expected(thread)` gives the scalars of a thread's
/// result, as R or Near; `given(thread, scalar)` tells in words what they are made of.
template <typename R, typename Expected, typename Given>
void check_threads(const Instruction& instruction, std::span<const std::vector<std::byte>> operands, std::size_t count,
                   Expected expected, Given given) {
  const auto words = assemble(program_text(instruction));
  const std::size_t scalars = instruction.result.scalars();
  std::vector<std::byte> bytes;
  for (const auto wave_size : wave_sizes) {
    const auto before = std::exchange(bytes, run_instruction(words, instruction, operands, count, wave_size));
    // Smaller waves run on other instruction sets, whose last places may differ.
    ASSERT_TRUE(wave_size <= 4 || bytes == before) << instruction.body << " depends on the wave size";
    std::vector<R> results(count * scalars);
    ASSERT_EQ(bytes.size(), results.size() * sizeof(R));
    std::memcpy(results.data(), bytes.data(), bytes.size());
    for (std::size_t thread = 0; thread < count; ++thread) {
      const auto right = expected(thread);
      ASSERT_EQ(right.size(), scalars);
      for (std::size_t i = 0; i < scalars; ++i) {
        ASSERT_TRUE(agrees(results[thread * scalars + i], right[i]))
            << instruction.body << " of " << instruction.result.name() << " at wave size " << wave_size << ", thread "
            << thread << ", component " << i << ": " << given(thread, i) << " makes "
            << shown(results[thread * scalars + i]) << " instead of " << shown(right[i]);
      }
    }
  }
}

/// The scalars that belong to one thread, of an operand with that many.
template <typename T>
std::span<const T> of_thread(const std::vector<T>& values, std::size_t thread, std::uint32_t scalars) {
  return std::span(values).subspan(thread * scalars, scalars);
}

/// Runs an instruction whose operands are whole vectors or matrices: `values` hold the operands' scalars, thread by
/// thread; `oracle` makes the result's scalars, as R or Near, from those of one thread.
template <typename R, typename Oracle, typename... A>
void check_whole(const Instruction& instruction, Oracle oracle, const std::vector<A>&... values) {
  const std::vector<std::vector<std::byte>> inputs = {bytes_of_values(std::span<const A>(values))...};
  const auto with_operands = [&]<std::size_t... I>(std::index_sequence<I...>, auto use, std::size_t thread) {
    return use(of_thread(values, thread, instruction.operands[I].scalars())...);
  };
  constexpr std::index_sequence_for<A...> places;
  std::size_t count = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    count = std::min(count, inputs[i].size() / instruction.operands[i].bytes());
  }
  check_threads<R>(
      instruction, inputs, count, [&](std::size_t thread) { return with_operands(places, oracle, thread); },
      [&](std::size_t thread, std::size_t) {
        const auto words = [](auto... operands) {
          std::string text;
          const auto add = [&](auto operand) {
            for (const auto value : operand) {
              text += shown(value) + " ";
            }
            text += "| ";
          };
          (add(operands), ...);
          return text;
        };
        return with_operands(places, words, thread);
      });
}

/// Runs the instruction on all operands, which are equally many, as scalars and vectors, at every wave size. Result and
/// oracle go component by component.
template <typename R, typename Oracle, typename... A>
void check(const Form& form, Oracle oracle, const Operands<A>&... operands) {
  const std::size_t values = std::min({operands.values.size()...});
  for (const auto rows : form.rows) {
    const std::size_t count = values / rows;
    const auto in_memory = [&]<typename T>(const Operands<T>& operand) {
      std::vector<T> taken;
      for (std::size_t i = 0; i < count * rows; i += operand.scalar ? rows : 1) {
        taken.push_back(operand.values[i]);
      }
      return bytes_of_values(std::span<const T>(taken));
    };
    const std::vector<std::vector<std::byte>> inputs = {in_memory(operands)...};
    const Instruction instruction{.body = form.body,
                                  .result = type_of<R>(rows),
                                  .operands = {type_of<A>(operands.scalar ? 1 : rows)...},
                                  .declarations = form.declarations,
                                  .variables = form.variables};
    const auto value = [&]<typename T>(const Operands<T>& operand, std::size_t thread, std::size_t component) {
      return operand.values[thread * rows + (operand.scalar ? 0 : component)];
    };
    check_threads<R>(
        instruction, inputs, count,
        [&](std::size_t thread) {
          std::vector<decltype(oracle(operands.values[0]...))> expected;
          for (std::size_t component = 0; component < rows; ++component) {
            expected.push_back(oracle(value(operands, thread, component)...));
          }
          return expected;
        },
        [&](std::size_t thread, std::size_t component) {
          const std::vector<std::string> words = {shown(value(operands, thread, component))...};
          return fmt::format("{}", fmt::join(words, ", "));
        });
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
}

constexpr std::size_t operand_count = 600;

/// The same with drawn operands.
template <typename R, typename... A, typename Oracle>
void check_drawn(const Form& form, Oracle oracle) {
  Draw draw(form.body.size());
  const std::tuple<Operands<A>...> operands{Operands<A>{draw.template some<A>(operand_count)}...};
  std::apply([&](const auto&... each) { check<R>(form, oracle, each...); }, operands);
}

}  // namespace crosslane::test
