// The factors ("twiddles") of a Fourier transform, made on the host: cosines and sines of GPUs are not accurate enough.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "algorithms/fft_shape.hpp"

namespace crosslane {

/// exp(−2πi k / n), within two units in the last place; n > 0.
std::complex<double> unit_root(std::uint64_t k, std::uint64_t n);

/// Transforms in place, a power of two of values: by the host, in doubles.
void fft_on_host(std::vector<std::complex<double>>& values);

/// All factors that the passes of a transform look up, and where, in elements.
struct FftFactors {
  std::vector<std::complex<double>> table;
  std::vector<std::uint32_t> stages;  ///< of each pass: those of its stages, or its own
  std::uint32_t near_factors = 0;     ///< between passes: exp(−2πi x / N) for x < 2^factor_bits
  std::uint32_t far_factors = 0;      ///< for x << factor_bits
  std::uint32_t factor_bits = 0;
  std::uint32_t chirp = 0;     ///< of a convolution: c[k] for k < size
  std::uint32_t spectrum = 0;  ///< conjugate of the transform of the wrapped conj(c), divided by the number of points
};

/// `inverse` makes a convolution's transform the inverse one; others exchange real and imaginary parts for that.
FftFactors make_fft_factors(const FftShape& shape, bool inverse);

}  // namespace crosslane
