// Which thread of a group each lane is.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "crosslane/check.hpp"

namespace crosslane::sanitize {

/// True where the layout differs from the linear one and suits the group.
bool differs_from_linear(LaneLayout layout, const std::array<std::uint32_t, 3>& group_size);

/// As Launch::lane_threads: empty for the linear layout.
std::vector<std::uint32_t> lane_threads(LaneLayout layout, const std::array<std::uint32_t, 3>& group_size);

}  // namespace crosslane::sanitize
