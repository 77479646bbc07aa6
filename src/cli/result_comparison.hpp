// Whether two methods' results, arrays on one device, agree.
#pragma once

#include <cstdint>

#include "cli/console.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/scalar_type.hpp"

namespace crosslane::cli {

/// Whether the first `bytes` bytes of two buffers are the same. Errors: those of the device.
Expected<bool> same_bytes(Device& device, Buffer& first, Buffer& second, std::uint64_t bytes, const Console& console);

/// What running sums of floats were made of, and how far two of them may lie apart.
struct RunningSums {
  ScalarType type = ScalarType::f32;
  std::uint64_t count = 0;
  bool exclusive = false;
  double error_bound = 0.0;  ///< of both together: the factor of Σ|x| over the elements that a result sums
};

/// Whether two scans of `input` by sum agree, result by result. Errors: those of the device.
Expected<bool> sums_agree(Device& device, Buffer& input, Buffer& first, Buffer& second, const RunningSums& sums,
                          const Console& console);

/// What the parts of transforms' results are.
enum class TransformParts : std::uint8_t { f16, f32, f64 };

/// Whether two transforms agree: the root of the mean square of their differences is no more than `bound` times that
/// of the first, and what is not finite is so in both. `count` parts. Errors: those of the device.
Expected<bool> transforms_agree(Device& device, Buffer& first, Buffer& second, TransformParts parts,
                                std::uint64_t count, double bound, const Console& console);

/// Whether two images of integers or 16-bit floats of `bits` bits, 8 or 16, are no more than a step apart anywhere.
/// Errors: those of the device.
Expected<bool> steps_agree(Device& device, Buffer& first, Buffer& second, std::uint32_t bits, bool are_floats,
                           std::uint64_t bytes, const Console& console);

}  // namespace crosslane::cli
