// How work that goes over arrays by tiles is split over dispatches: pure arithmetic, no device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crosslane/device.hpp"
#include "kernels/tiles/tiled_part.hlsli"

namespace crosslane {

/// An array of which each element goes with one of the others'.
struct TiledArray {
  std::uint64_t offset = 0;  ///< bytes; where it begins in its buffer
  std::uint64_t element_bytes = 4;
};

/// What one dispatch sees of an array.
struct ArrayView {
  std::uint64_t offset = 0;  ///< bytes; where the binding begins
  std::uint64_t bytes = 0;
  std::uint32_t first = 0;  ///< element number of position 0 in the binding, modulo 2^32
  bool vectors = false;     ///< position 0 lies at a multiple of as many elements as 16 bytes of the first array hold
};

/// One dispatch over a part of the arrays that bindings can show.
struct TiledDispatch {
  kernel_interface::TiledPart part{};  ///< left 0: `pass`, and where the count is
  std::vector<ArrayView> views;        ///< one per array
};

/// Splits `count` elements of each of the arrays into dispatches of groups that take `tile` elements each. Position 0
/// lies at a multiple of 16 bytes in the first array.
std::vector<TiledDispatch> plan_tiles(const DeviceInfo& device, std::span<const TiledArray> arrays, std::uint64_t tile,
                                      std::uint64_t count);

}  // namespace crosslane
