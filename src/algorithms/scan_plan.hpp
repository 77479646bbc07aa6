// How a scan is split over dispatches: pure arithmetic, no device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/scan.hpp"
#include "kernels/scan/scan_params.hlsli"

namespace crosslane {

/// One dispatch over a part of the arrays that bindings can show.
struct ScanDispatch {
  std::uint64_t input_offset = 0;  ///< bytes; where the input's binding begins
  std::uint64_t input_bytes = 0;
  std::uint64_t output_offset = 0;
  std::uint64_t output_bytes = 0;
  kernel_interface::ScanParams params{};
};

/// Splits `count` elements into dispatches. Left 0: `exclusive`, `pass`, `indirect` and `count_element`.
std::vector<ScanDispatch> plan_scan(const DeviceInfo& device, std::uint64_t element_bytes, std::uint64_t input_offset,
                                    std::uint64_t output_offset, std::uint64_t count);

/// Elements that one group scans.
std::uint64_t scan_tile(std::uint64_t element_bytes);

/// Rounded additions in the longest chain from an element to a sum of `count` elements.
std::uint64_t longest_scan_chain(const DeviceInfo& device, ScalarType type, std::uint64_t count, Method method,
                                 std::uint32_t wave_size);

/// The name of the kernel variant: "scan.shuffle.u32.sum", with ".packed" behind it where tiles speak in words of value
/// and tag.
std::string scan_kernel_name(ScalarType type, Operator op, Method method, bool packed);

}  // namespace crosslane
