#include "algorithms/fft_factors.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "algorithms/range.hpp"

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

FftFactors make_fft_factors(const std::vector<FftPass>& passes) {
  FftFactors factors;
  std::uint32_t size_bits = 0;
  for (const FftPass& pass : passes) {
    factors.stages.push_back(narrow(factors.table.size()));
    add_stages(factors.table, pass);
    size_bits += pass.size_bits;
  }
  if (passes.size() > 1) {
    factors.factor_bits = (size_bits + 1) / 2;
    factors.near_factors = narrow(factors.table.size());
    factors.far_factors = factors.near_factors + (1U << factors.factor_bits);
    for (std::uint64_t x = 0; x < std::uint64_t{1} << factors.factor_bits; ++x) {
      factors.table.push_back(unit_root(x, std::uint64_t{1} << size_bits));
    }
    for (std::uint64_t x = 0; x < std::uint64_t{1} << (size_bits - factors.factor_bits); ++x) {
      factors.table.push_back(unit_root(x << factors.factor_bits, std::uint64_t{1} << size_bits));
    }
  }
  return factors;
}

}  // namespace crosslane
