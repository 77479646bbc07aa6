#include "algorithms/fft_mixed.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "algorithms/range.hpp"
#include "base/rounding.hpp"

namespace crosslane {
namespace {

// As in kernels/fft/CMakeLists.txt: threads per group, and values that each holds.
std::uint32_t group_threads(ScalarType type) { return type == ScalarType::f64 ? 128 : 256; }
constexpr std::uint32_t most_values = 21;

// Values per thread where lines lie one behind the other: what there is to tune.
constexpr std::uint32_t usual_values = 8;

// Points of a line where there are several passes: four of floats fill a group then.
constexpr std::uint64_t most_line_points = 1024;

// Threads without which a line's butterflies do not fit, in some stage.
std::uint32_t least_threads(std::uint32_t points) {
  std::uint64_t threads = 1;
  for (const std::uint32_t radix : fft_radices(points)) {
    threads = std::max(threads, divide_up(points / radix, most_values / radix));
  }
  return narrow(threads);
}

std::uint32_t packed(const std::vector<std::uint32_t>& radices) {
  std::uint32_t bits = 0;
  for (std::size_t stage = 0; stage < radices.size(); ++stage) {
    bits |= radices[stage] << (4 * stage);
  }
  return bits;
}

// The smallest divisor of `number` whose power `exponent` is not below it.
std::uint64_t root_divisor(std::uint64_t number, std::uint32_t exponent) {
  for (std::uint64_t divisor = 1;; ++divisor) {
    std::uint64_t power = divisor;
    for (std::uint32_t i = 1; i < exponent; ++i) {
      power *= divisor;
    }
    if (power >= number && number % divisor == 0) {
      return divisor;
    }
  }
}

}  // namespace

bool has_small_factors(std::uint64_t number) {
  for (const std::uint64_t prime : {2U, 3U, 5U, 7U}) {
    while (number % prime == 0) {
      number /= prime;
    }
  }
  return number == 1;
}

std::vector<std::uint32_t> fft_radices(std::uint32_t points) {
  std::vector<std::uint32_t> radices;
  for (const std::uint32_t prime : {7U, 5U, 3U}) {
    for (; points % prime == 0; points /= prime) {
      radices.push_back(prime);
    }
  }
  // Two fours rather than eight and two.
  for (; points >= 32 || points == 8; points /= 8) {
    radices.push_back(8);
  }
  for (; points >= 4; points /= 4) {
    radices.push_back(4);
  }
  if (points == 2) {
    radices.push_back(2);
  }
  return radices;
}

std::vector<std::uint32_t> fft_lines(ScalarType type, std::uint64_t size) {
  if (size <= std::uint64_t{1} << one_pass_fft_bits(type)) {
    return {narrow(size)};
  }
  if (const std::uint64_t first = root_divisor(size, 2); first <= most_line_points) {
    return {narrow(first), narrow(size / first)};
  }
  const std::uint64_t first = root_divisor(size, 3);
  const std::uint64_t second = root_divisor(size / first, 2);
  return {narrow(first), narrow(second), narrow(size / first / second)};
}

FftPass mixed_fft_pass(ScalarType type, std::uint32_t points, std::uint32_t beside) {
  const std::uint32_t threads = group_threads(type);
  FftPass pass;
  pass.kernel = FftKernel::mixed;
  pass.line_points = points;
  pass.line_threads = least_threads(points);
  if (beside == 1) {
    pass.line_threads = std::clamp(narrow(divide_up(points, usual_values)), pass.line_threads, threads);
  }
  // As many points as the threads' in one half of their values fit the kernel's groupshared memory.
  const std::uint32_t lines = std::min(threads / pass.line_threads, threads * 16 / points);
  pass.beside = std::min(beside, lines);
  pass.rows = lines / pass.beside;
  pass.radices = packed(fft_radices(points));
  return pass;
}

FftPass lanes_fft_pass(std::uint32_t points) {
  FftPass pass;
  pass.kernel = FftKernel::lanes;
  pass.line_points = points;
  pass.line_threads = std::bit_ceil(points);
  pass.rows = lanes_fft_threads / pass.line_threads;
  pass.radices = packed(fft_radices(points));
  return pass;
}

}  // namespace crosslane
