#include "algorithms/fft_shape.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "algorithms/fft_mixed.hpp"
#include "algorithms/range.hpp"
#include "base/rounding.hpp"

namespace crosslane {
namespace {

bool has_halves(const FftPass& pass) { return pass.from == FftNumbers::halves || pass.to == FftNumbers::halves; }

// Points per thread by log2 of the size: what there is to tune. Doubles take fewer, since each has two registers.
constexpr std::array<std::uint32_t, one_pass_fft_bits(ScalarType::f32) + 1> points_f32 = {2,  2,  2,  4,  4,  8, 8,
                                                                                          16, 16, 16, 16, 16, 16};
constexpr std::array<std::uint32_t, one_pass_fft_bits(ScalarType::f64) + 1> points_f64 = {2, 2, 2, 2, 4, 8,
                                                                                          8, 8, 8, 8, 8, 8};

// log2 of the largest transforms whose points are read two at a time. Larger ones have threads enough to read whole
// cache lines.
constexpr std::uint32_t most_paired_bits = 6;

// The kernels of kernels/fft/CMakeLists.txt: threads per group for those with the most points per thread, and for each
// of the others.
constexpr std::array<std::uint32_t, 3> threads_of_most_points = {64, 128, 256};
constexpr std::uint32_t threads_of_four_floats = 128;
constexpr std::uint32_t threads_of_others = 256;

// log2 of the points of a pass where there are several: four lines fill a group then.
constexpr std::uint32_t line_bits = 10;

// log2 of the lines beside each other: 32 bytes of floats in a row where the other side has its points in a row, and
// 128 bytes where both have lines.
constexpr std::uint32_t beside_bits_of_first = 2;
constexpr std::uint32_t beside_bits_of_others = 4;

std::uint32_t log2_of(std::uint32_t power_of_two) { return static_cast<std::uint32_t>(std::countr_zero(power_of_two)); }

std::uint32_t most_points(ScalarType type) { return type == ScalarType::f64 ? 8 : 16; }

std::uint32_t points_for(ScalarType type, std::uint32_t size_bits, Method method, std::uint32_t wave_size) {
  const std::uint32_t size = 1U << size_bits;
  const std::uint32_t usual = type == ScalarType::f64 ? points_f64.at(size_bits) : points_f32.at(size_bits);
  if (method != Method::shuffle) {
    return std::min(usual, std::max(2U, size / 4));  // four threads read 32 bytes in a row
  }
  // More points where that makes a transform fit a wave, so that nothing goes through groupshared memory.
  std::uint32_t points = usual;
  while (size / points > wave_size && points < most_points(type)) {
    points *= 2;
  }
  return size / points <= wave_size ? points : usual;
}

// As few threads as hold one transform, or as many as there are where others shall lie beside it.
std::uint32_t threads_for(ScalarType type, const FftPass& pass, bool beside) {
  if (pass.points != most_points(type)) {
    return type == ScalarType::f32 && pass.points == 4 ? threads_of_four_floats : threads_of_others;
  }
  for (const std::uint32_t threads : threads_of_most_points) {
    if (!beside && threads >= (1U << pass.size_bits) / pass.points) {
      return threads;
    }
  }
  return threads_of_most_points.back();
}

std::vector<FftPass> plan_passes(ScalarType type, std::uint32_t size_bits, Method method, std::uint32_t wave_size) {
  const bool several = size_bits > one_pass_fft_bits(type);
  const std::uint32_t count = several ? narrow(divide_up(size_bits, line_bits)) : 1;
  std::vector<FftPass> passes;
  for (std::uint32_t left = count; left > 0; --left) {
    FftPass pass;
    pass.size_bits = narrow(divide_up(size_bits, left));
    pass.points = points_for(type, pass.size_bits, method, wave_size);
    pass.threads = threads_for(type, pass, several);
    if (several) {
      const std::uint32_t wanted = passes.empty() ? beside_bits_of_first : beside_bits_of_others;
      pass.beside_bits = std::min(wanted, log2_of(lines_per_group(pass)));
    }
    passes.push_back(pass);
    size_bits -= pass.size_bits;
  }
  return passes;
}

// Lines of numbers of points with small factors, by which a transform goes over its data once or more often.
std::vector<FftPass> plan_mixed_passes(ScalarType type, std::uint64_t size, Method method, std::uint32_t wave_size) {
  if (method == Method::shuffle && std::bit_ceil(size) <= std::min(wave_size, lanes_fft_threads)) {
    return {lanes_fft_pass(narrow(size))};
  }
  const std::vector<std::uint32_t> lines = fft_lines(type, size);
  std::vector<FftPass> passes;
  for (const std::uint32_t points : lines) {
    const std::uint32_t beside_bits = passes.empty() ? beside_bits_of_first : beside_bits_of_others;
    passes.push_back(mixed_fft_pass(type, points, lines.size() == 1 ? 1 : 1U << beside_bits));
  }
  return passes;
}

// What the caller's arrays are made of, by passes of their own where the others cannot read or write it.
void set_numbers(FftShape& shape, FftNumbers from, FftNumbers to) {
  if (shape.passes.front().kernel == FftKernel::powers && from != FftNumbers::halves) {
    FftPass copy;
    copy.kernel = FftKernel::copy;
    shape.passes.insert(shape.passes.begin(), copy);
    shape.passes.push_back(copy);
  }
  shape.passes.front().paired = false;
  shape.passes.front().from = from;
  shape.passes.back().to = to;
}

}  // namespace

std::uint32_t lines_per_group(const FftPass& pass) {
  if (!pass.transforms()) {
    return CROSSLANE_FFT_THREADS;
  }
  return pass.kernel == FftKernel::powers ? pass.threads / std::max(1U, (1U << pass.size_bits) / pass.points)
                                          : pass.rows * pass.beside;
}

bool has_pairs(ScalarType type, const FftPass& pass, Method method) {
  return type == ScalarType::f32 && method == Method::shuffle && pass.kernel == FftKernel::powers &&
         pass.points < most_points(type) && !has_halves(pass);
}

bool has_numbers(const FftPass& pass) {
  return pass.kernel == FftKernel::powers ? has_halves(pass) : pass.kernel != FftKernel::split;
}

FftShape plan_fft_shape(ScalarType type, std::uint64_t size, Method method, std::uint32_t wave_size) {
  FftShape shape;
  shape.size = size;
  shape.points = size;
  if (!std::has_single_bit(size) && has_small_factors(size)) {
    shape.passes = plan_mixed_passes(type, size, method, wave_size);
    return shape;
  }
  shape.convolves = !std::has_single_bit(size);
  shape.points = shape.convolves ? std::bit_ceil(2 * size - 1) : size;
  const auto size_bits = static_cast<std::uint32_t>(std::countr_zero(shape.points));
  shape.passes = plan_passes(type, size_bits, method, wave_size);
  if (shape.convolves) {
    const std::vector<FftPass> back = shape.passes;
    shape.passes.insert(shape.passes.end(), back.begin(), back.end());
  }
  FftPass& first = shape.passes.front();
  const bool has_neighbours = wave_size > 1 || size <= first.points;
  first.paired = shape.passes.size() == 1 && has_pairs(type, first, method) && has_neighbours && size > 1 &&
                 size_bits <= most_paired_bits;
  return shape;
}

FftShape plan_fft_shape(const FftOptions& options, Method method, std::uint32_t wave_size) {
  const std::uint64_t size = has_real_pairs(options) ? options.size / 2 : options.size;
  FftShape shape = plan_fft_shape(options.type, size, method, wave_size);
  if (options.halves) {
    set_numbers(shape, FftNumbers::halves, FftNumbers::halves);
  } else if (has_real_pairs(options)) {
    shape.passes.front().paired = false;  // what is before or behind it has no pairs
    FftPass split;
    split.kernel = FftKernel::split;
    shape.passes.insert(options.inverse ? shape.passes.begin() : shape.passes.end(), split);
  } else if (options.real) {
    set_numbers(shape, options.inverse ? FftNumbers::half_spectrum : FftNumbers::reals,
                options.inverse ? FftNumbers::reals : FftNumbers::half_spectrum);
  }
  return shape;
}

std::string fft_kernel_name(ScalarType type, const FftPass& pass, Method method) {
  switch (pass.kernel) {
    case FftKernel::split:
      return fmt::format("fft_split.{}", name(type));
    case FftKernel::mixed:
      return fmt::format("fft_mixed.{}", name(type));
    case FftKernel::lanes:
      return fmt::format("fft_lanes.{}", name(type));
    case FftKernel::copy:
      return fmt::format("fft_copy.{}", name(type));
    case FftKernel::powers:
      break;
  }
  return fmt::format("fft.{}.{}x{}.{}", has_halves(pass) ? "f16" : name(type), pass.points, pass.threads, name(method));
}

FftPass for_columns(ScalarType type, FftPass pass) {
  if (pass.kernel == FftKernel::powers) {
    pass.threads = threads_for(type, pass, true);
    pass.beside_bits = std::min(beside_bits_of_others, log2_of(lines_per_group(pass)));
  } else if (pass.kernel == FftKernel::mixed) {
    FftPass beside = mixed_fft_pass(type, pass.line_points, 1U << beside_bits_of_others);
    beside.from = pass.from;
    beside.to = pass.to;
    return beside;
  }
  return pass;
}

}  // namespace crosslane
