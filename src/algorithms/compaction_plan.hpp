// What a compaction's dispatches see of its outputs, and which kernel runs: pure arithmetic, no device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crosslane/compaction.hpp"
#include "kernels/compact/compact_params.hlsli"

namespace crosslane {

/// Elements that one group takes.
std::uint64_t compaction_tile(std::uint64_t element_bytes);

/// An output through windows of 2^window_shift(…) elements each, as many as the kernel has.
struct WindowedOutput {
  std::vector<Binding> windows;  ///< without slots; those past the output show its first window
  std::uint32_t first = 0;       ///< the output's first element in the first window
};

std::uint32_t window_shift(const DeviceLimits& limits, std::uint64_t element_bytes);

/// Errors: `unsupported` for an output larger than all windows.
Expected<WindowedOutput> plan_output(const DeviceLimits& limits, const BufferPlace& place, std::uint64_t element_bytes,
                                     std::uint64_t count);

/// The name of the kernel without its state's suffix: "compact.range.b4.shuffle.indices".
std::string compaction_kernel_name(const CompactionOptions& options, Method method);

/// What the selection goes by, in the kernel's parameters.
void write_selection(const Selection& selection, kernel_interface::CompactParams& params);

}  // namespace crosslane
