// How a reduction is split over dispatches: pure arithmetic, no device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/reduction.hpp"
#include "kernels/reduce/reduce_params.hlsli"

namespace crosslane {

/// One dispatch over a part of the input that one binding can show: what to bind and what to tell the kernel.
struct ReduceDispatch {
  std::uint64_t input_offset = 0;  ///< bytes; where the input's binding begins
  std::uint64_t input_bytes = 0;   ///< its size
  kernel_interface::ReduceParams params{};
};

/// Splits `count` elements of `element_bytes` bytes at byte `offset` into dispatches. The output's element is left 0.
std::vector<ReduceDispatch> plan_reduce(const DeviceInfo& device, std::uint64_t element_bytes, std::uint64_t offset,
                                        std::uint64_t count);

/// One dispatch of one level of the reproducible tree.
struct ReproducibleDispatch {
  std::uint32_t level = 0;         ///< 0 reads the input, level k the results of level k − 1
  std::uint64_t input_offset = 0;  ///< bytes; in the input, or in the buffer of results
  std::uint64_t input_bytes = 0;
  std::uint64_t output_offset = 0;  ///< bytes; in the buffer of results, where the last level does not write the output
  std::uint64_t output_bytes = 0;
  kernel_interface::ReproducibleParams params{};
};

/// Splits the reproducible tree over `count` > 0 elements into dispatches, level by level.
std::vector<ReproducibleDispatch> plan_reproducible(const DeviceLimits& limits, std::uint64_t element_bytes,
                                                    std::uint64_t offset, std::uint64_t count);

/// Elements that one block of the reproducible tree combines.
inline constexpr std::uint64_t reproducible_block =
    std::uint64_t{CROSSLANE_REPRODUCIBLE_THREADS} * CROSSLANE_REPRODUCIBLE_PER_THREAD;

/// Additions in the longest chain from an element to the sum of `count` elements.
std::uint64_t longest_chain(const DeviceInfo& device, ScalarType type, std::uint64_t count, bool reproducible,
                            Method method, std::uint32_t wave_size);

/// The name of the kernel variant: "reduce.u32.sum.shuffle". Signed integers share the kernels of unsigned ones where
/// the operator does not see the sign.
std::string reduce_kernel_name(ScalarType type, Operator op, Method method);

}  // namespace crosslane
