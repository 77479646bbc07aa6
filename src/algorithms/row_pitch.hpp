// Rows of images on the host, with and without gaps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosslane {

/// Rows of `row` bytes each that begin `from` bytes after one another, laid out with `to` bytes between their
/// beginnings.
inline std::vector<std::byte> with_pitch(std::span<const std::byte> rows, std::uint64_t row, std::uint64_t from,
                                         std::uint64_t to) {
  std::vector<std::byte> moved(rows.size() / from * to);
  for (std::uint64_t y = 0; y < rows.size() / from; ++y) {
    std::ranges::copy(rows.subspan(y * from, row), moved.begin() + static_cast<std::ptrdiff_t>(y * to));
  }
  return moved;
}

}  // namespace crosslane
