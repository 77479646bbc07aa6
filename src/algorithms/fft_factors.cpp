#include "algorithms/fft_factors.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "algorithms/range.hpp"
#include "base/rounding.hpp"

namespace crosslane {
namespace {

// group/fft.hlsli says how they lie.
void add_stages(std::vector<std::complex<double>>& table, const FftPass& pass) {
  const auto value_bits = static_cast<std::uint32_t>(std::countr_zero(pass.points));
  if (pass.size_bits <= value_bits) {
    return;
  }
  for (std::uint32_t done_bits = (pass.size_bits - 1) % value_bits + 1; done_bits < pass.size_bits;
       done_bits += value_bits) {
    for (std::uint32_t bit = 0; bit < value_bits; ++bit) {
      for (std::uint64_t l = 0; l < std::uint64_t{1} << done_bits; ++l) {
        table.push_back(unit_root(l << bit, std::uint64_t{1} << (done_bits + value_bits)));
      }
    }
  }
}

// exp(−2πi k · step / n) for k < count.
void add_roots(std::vector<std::complex<double>>& table, std::uint64_t count, std::uint64_t step, std::uint64_t n) {
  for (std::uint64_t k = 0; k < count; ++k) {
    table.push_back(unit_root(k * step, n));
  }
}

std::uint32_t log2_up(std::uint64_t number) { return static_cast<std::uint32_t>(std::bit_width(number - 1)); }

void add_convolution(FftFactors& factors, const FftShape& shape, bool inverse) {
  const std::uint64_t transformed = shape.points;
  std::vector<std::complex<double>> wrapped(transformed);
  factors.chirp = narrow(factors.table.size());
  for (std::uint64_t k = 0; k < shape.size; ++k) {
    const std::complex<double> root = unit_root(k * k % (2 * shape.size), 2 * shape.size);
    const std::complex<double> chirp = inverse ? std::conj(root) : root;
    factors.table.push_back(chirp);
    wrapped[k] = std::conj(chirp);
    wrapped[(transformed - k) % transformed] = std::conj(chirp);
  }
  fft_on_host(wrapped);
  factors.spectrum = narrow(factors.table.size());
  for (const std::complex<double>& value : wrapped) {
    factors.table.push_back(std::conj(value) / static_cast<double>(transformed));
  }
}

}  // namespace

std::complex<double> unit_root(std::uint64_t k, std::uint64_t n) {
  // In eighths of a turn, so that the angle lies within one and its rounding does not matter. n is no larger than 2^60.
  k %= n;
  const std::uint64_t eighth = 8 * k / n;
  const bool is_odd = eighth % 2 != 0;
  const std::uint64_t beyond = 8 * k - eighth * n;  // of an eighth, in parts of n
  const double angle =
      static_cast<double>(is_odd ? n - beyond : beyond) / static_cast<double>(n) * (std::numbers::pi / 4);
  const double near = std::cos(angle);
  const double far = std::sin(angle);
  // The first quarter turn, and then as many as went before.
  const std::complex<double> root = is_odd ? std::complex(far, -near) : std::complex(near, -far);
  switch (eighth / 2) {
    case 0:
      return root;
    case 1:
      return {root.imag(), -root.real()};
    case 2:
      return -root;
    default:
      return {-root.imag(), root.real()};
  }
}

void fft_on_host(std::vector<std::complex<double>>& values) {
  const std::size_t size = values.size();
  std::vector<std::complex<double>> roots;
  for (std::size_t k = 0; k < size / 2; ++k) {
    roots.push_back(unit_root(k, size));
  }
  // Stockham's order: results come in their natural order, by way of a second array.
  std::vector<std::complex<double>> next(size);
  for (std::size_t done = 1; done < size; done *= 2) {
    for (std::size_t i = 0; i < size / 2; ++i) {
      const std::complex<double> a = values[i];
      const std::complex<double> b = values[i + size / 2] * roots[i % done * (size / 2 / done)];
      const std::size_t to = i / done * 2 * done + i % done;
      next[to] = a + b;
      next[to + done] = a - b;
    }
    values.swap(next);
  }
}

FftFactors make_fft_factors(const FftShape& shape, bool inverse) {
  FftFactors factors;
  for (const FftPass& pass : shape.passes) {
    factors.stages.push_back(narrow(factors.table.size()));
    switch (pass.kernel) {
      case FftKernel::powers:
        add_stages(factors.table, pass);
        break;
      case FftKernel::split:
        add_roots(factors.table, shape.size / 2 + 1, 1, 2 * shape.size);
        break;
      case FftKernel::mixed:
      case FftKernel::lanes:
        add_roots(factors.table, pass.line_points, 1, pass.line_points);
        break;
      case FftKernel::copy:
        break;
    }
  }
  if (shape.convolves) {
    add_convolution(factors, shape, inverse);
  }
  if (shape.passes[shape.first_transforming()].length() != shape.points) {
    factors.factor_bits = (log2_up(shape.points) + 1) / 2;
    const std::uint64_t near = std::uint64_t{1} << factors.factor_bits;
    factors.near_factors = narrow(factors.table.size());
    factors.far_factors = narrow(factors.near_factors + near);
    add_roots(factors.table, near, 1, shape.points);
    add_roots(factors.table, divide_up(shape.points, near), near, shape.points);
  }
  return factors;
}

}  // namespace crosslane
