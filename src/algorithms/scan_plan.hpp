// The shape of a scan, and which kernel runs: pure arithmetic, no device.
#pragma once

#include <cstdint>
#include <string>

#include "crosslane/device.hpp"
#include "crosslane/scan.hpp"
#include "kernels/scan/scan_params.hlsli"

namespace crosslane {

/// Elements that one group scans.
std::uint64_t scan_tile(std::uint64_t element_bytes);

/// Rounded additions in the longest chain from an element to a sum of `count` elements.
std::uint64_t longest_scan_chain(const DeviceInfo& device, ScalarType type, std::uint64_t count, Method method,
                                 std::uint32_t wave_size);

/// The name of the kernel without its state's suffix: "scan.u32.sum.shuffle".
std::string scan_kernel_name(const ScanOptions& options, Method method);

}  // namespace crosslane
