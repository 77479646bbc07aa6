// One call that runs a kernel of this test on arrays of words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernel.hpp"

namespace crosslane::hlsl_tests {

/// The kernels of this test, sorted by name.
std::span<const Kernel> kernels();

/// The names of the kernels that begin with `prefix`, without it: what a test sweeps is what CMakeLists.txt lists.
std::vector<std::string> kernels_below(std::string_view prefix);

/// The name without the "checked." at its beginning that kernels with CROSSLANE_CHECKED have.
std::string unchecked(std::string_view name);

/// What a result holds where nothing was written.
inline constexpr std::uint32_t unwritten = 0xCDCDCDCD;

/// One buffer of a dispatch, in the order of its bindings: words to read, or room for results.
struct Array {
  std::vector<std::uint32_t> words = {};
  static Array results(std::size_t words) { return {std::vector<std::uint32_t>(words, unwritten)}; }
};

/// Runs the kernel `name` on the test device and brings all arrays back. A failure fails the test by an exception.
void run_kernel(const std::string& name, std::vector<Array>& arrays, const std::vector<std::uint32_t>& constants,
                std::uint32_t groups = 1);

/// Lanes per wave of the test device.
std::uint32_t wave_size();

}  // namespace crosslane::hlsl_tests
