// Passes of Fourier transforms over lines whose numbers of points have small factors: kernels/fft/fft_mixed.hlsl and
// fft_lanes.hlsl.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/fft_shape.hpp"

namespace crosslane {

/// The radices of the stages for a number without prime factors above 7, up to 4096; 1 has none.
std::vector<std::uint32_t> fft_radices(std::uint32_t points);

/// How a transform of `size` points, which have no factors above 7, is spread over lines of one pass each.
std::vector<std::uint32_t> fft_lines(ScalarType type, std::uint64_t size);

/// The pass over lines of so many points. `beside`: at most so many of them beside each other; 1 where their points lie
/// in a row.
FftPass mixed_fft_pass(ScalarType type, std::uint32_t points, std::uint32_t beside);

/// The pass for transforms that fit a wave of `wave_size` lanes.
FftPass lanes_fft_pass(std::uint32_t points);

/// Threads per group of fft_lanes.hlsl.
inline constexpr std::uint32_t lanes_fft_threads = 128;

}  // namespace crosslane
