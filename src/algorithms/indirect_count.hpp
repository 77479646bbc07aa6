// Numbers of elements that only the device knows: 64 bits, low word first, in a buffer.
#pragma once

#include <cstdint>

#include "crosslane/device.hpp"
#include "kernels/array_count.hlsli"

namespace crosslane {

inline constexpr std::uint64_t count_bytes = 8;

/// Shows the number at `counts` to binding `slot`, and tells the kernel where it is in it; nowhere: `stand_in` is
/// shown, and the kernel told that the host knows.
Binding bind_count(const DeviceLimits& limits, std::uint32_t slot, const BufferPlace& counts, const Binding& stand_in,
                   kernel_interface::ArrayCount& count);

/// Errors: `invalid_argument` for a place that is nowhere or no multiple of 8, or outside its buffer.
Expected<void> check_counts(const BufferPlace& counts);

}  // namespace crosslane
