// Sampling as it should be, in plain C++: the oracle of the sampling tests.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "machine/image.hpp"

namespace crosslane::test {

/// Where a coordinate leads in a row of `count` texels, by walking; −1 for the border.
inline int walked(TextureAddress address, int at, int count) {
  switch (address) {
    case TextureAddress::wrap:
      for (; at < 0; at += count) {
      }
      return at % count;
    case TextureAddress::mirror:
      for (;;) {
        if (at < 0) {
          at = -1 - at;
        } else if (at >= count) {
          at = 2 * count - 1 - at;
        } else {
          return at;
        }
      }
    case TextureAddress::clamp:
      return at < 0 ? 0 : at >= count ? count - 1 : at;
    default:
      return at < 0 || at >= count ? -1 : at;
  }
}

/// One channel of a plain two-dimensional image, sampled in double precision.
struct PlainImage {
  std::uint32_t width;
  std::uint32_t height;
  const float* first;  // texels of four channels
  TextureAddress address;

  [[nodiscard]] double texel(int x, int y, std::size_t channel) const {
    const int column = walked(address, x, static_cast<int>(width));
    const int row = walked(address, y, static_cast<int>(height));
    if (column < 0 || row < 0) {
      return 1;  // the tests' border is white
    }
    return static_cast<double>(
        first[4 * (static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column)) + channel]);
  }

  [[nodiscard]] double sampled(double u, double v, Filter filter, std::array<int, 2> offset,
                               std::size_t channel) const {
    const double x = u * width;
    const double y = v * height;
    if (filter == Filter::point) {
      return texel(static_cast<int>(std::floor(x)) + offset[0], static_cast<int>(std::floor(y)) + offset[1], channel);
    }
    const double left = std::floor(x - 0.5);
    const double top = std::floor(y - 0.5);
    const double a = x - 0.5 - left;
    const double b = y - 0.5 - top;
    const int i = static_cast<int>(left) + offset[0];
    const int j = static_cast<int>(top) + offset[1];
    return (1 - a) * (1 - b) * texel(i, j, channel) + a * (1 - b) * texel(i + 1, j, channel) +
           (1 - a) * b * texel(i, j + 1, channel) + a * b * texel(i + 1, j + 1, channel);
  }
};

}  // namespace crosslane::test
