#include "sanitize/lane_layout.hpp"

namespace crosslane::sanitize {

bool differs_from_linear(LaneLayout layout, const std::array<std::uint32_t, 3>& group_size) {
  return layout == LaneLayout::quads && group_size[0] % 2 == 0 && group_size[1] % 2 == 0 && group_size[0] > 2;
}

std::vector<std::uint32_t> lane_threads(LaneLayout layout, const std::array<std::uint32_t, 3>& group_size) {
  std::vector<std::uint32_t> threads;
  if (!differs_from_linear(layout, group_size)) {
    return threads;
  }
  const auto [width, height, depth] = group_size;
  for (std::uint32_t z = 0; z < depth; ++z) {
    for (std::uint32_t y = 0; y < height; y += 2) {
      for (std::uint32_t x = 0; x < width; x += 2) {
        for (std::uint32_t corner = 0; corner < 4; ++corner) {
          threads.push_back((z * height + y + corner / 2) * width + x + corner % 2);
        }
      }
    }
  }
  return threads;
}

}  // namespace crosslane::sanitize
