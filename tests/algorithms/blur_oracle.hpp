// Blurs as their definition says, in doubles; and pixels as numbers and back.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "crosslane/blur.hpp"

namespace crosslane::test {

struct PixelLayout {
  std::size_t channels = 1;
  std::size_t bytes = 4;  ///< of a channel
  bool unorm = false;

  [[nodiscard]] double most() const { return bytes == 1 ? 255 : 65535; }
  [[nodiscard]] bool has_alpha() const { return unorm && channels == 4; }
};

inline PixelLayout layout_of(BlurFormat format) {
  switch (format) {
    case BlurFormat::f32:
      return {1, 4, false};
    case BlurFormat::f32x4:
      return {4, 4, false};
    case BlurFormat::f16:
      return {1, 2, false};
    case BlurFormat::r8:
      return {1, 1, true};
    case BlurFormat::rgb8:
      return {3, 1, true};
    case BlurFormat::rgba8:
      return {4, 1, true};
    case BlurFormat::r16:
      return {1, 2, true};
    case BlurFormat::rgb16:
      return {3, 2, true};
    default:
      return {4, 2, true};
  }
}

inline double half_to_double(std::uint32_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10U & 0x1FU);
  const double fraction = bits & 0x3FFU;
  if (exponent == 31) {
    return fraction == 0 ? sign * INFINITY : NAN;
  }
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

/// What a half is apart from the next, around `value`.
inline double half_step(double value) {
  const double magnitude = std::max(std::abs(value), 0x1p-14);
  return std::ldexp(1.0, std::ilogb(magnitude) - 10);
}

inline double read_channel(const PixelLayout& layout, const std::byte* at) {
  std::uint32_t code = 0;
  std::memcpy(&code, at, layout.bytes);
  if (layout.unorm) {
    return code;
  }
  if (layout.bytes == 2) {
    return half_to_double(code);
  }
  float value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// An image as numbers: row after row, pixel after pixel, channel after channel.
struct Numbers {
  std::size_t width = 1;
  std::size_t height = 1;
  std::size_t channels = 1;
  std::vector<double> values = {};

  double& at(std::size_t x, std::size_t y, std::size_t c) { return values[(y * width + x) * channels + c]; }
  [[nodiscard]] double at(std::size_t x, std::size_t y, std::size_t c) const {
    return values[(y * width + x) * channels + c];
  }
};

/// Where the value at `place` of a line of `size` comes from; -1: nowhere. SciPy's documentation in code: the line is
/// laid out again and again, turned or not.
inline std::ptrdiff_t source_of(std::ptrdiff_t place, std::ptrdiff_t size, BlurBorder border) {
  while (place < 0 || place >= size) {
    switch (border) {
      case BlurBorder::clamp:
        place = place < 0 ? 0 : size - 1;
        break;
      case BlurBorder::wrap:
        place += place < 0 ? size : -size;
        break;
      case BlurBorder::reflect:
        place = place < 0 ? -1 - place : 2 * size - 1 - place;
        break;
      case BlurBorder::mirror:
        place = size == 1 ? 0 : place < 0 ? -place : 2 * size - 2 - place;
        break;
      default:
        return -1;
    }
  }
  return place;
}

inline std::vector<double> gaussian(const BlurOptions& options) {
  const auto radius = static_cast<std::ptrdiff_t>(options.radius);
  const double sigma = options.sigma.value_or(default_blur_sigma(options.radius));
  std::vector<double> weights;
  double sum = 0;
  for (std::ptrdiff_t d = -radius; d <= radius; ++d) {
    weights.push_back(std::exp(-static_cast<double>(d * d) / (2 * sigma * sigma)));
    sum += weights.back();
  }
  for (double& weight : weights) {
    weight /= sum;
  }
  return weights;
}

/// Blurs the numbers as they are, along x and then along y.
inline Numbers blur_numbers(const Numbers& image, const std::vector<double>& border_pixel, const BlurOptions& options) {
  const std::vector<double> weights = gaussian(options);
  const auto radius = static_cast<std::ptrdiff_t>(options.radius);
  const auto along = [&](const Numbers& from, bool rows) {
    Numbers to = from;
    const auto size = static_cast<std::ptrdiff_t>(rows ? from.width : from.height);
    for (std::size_t y = 0; y < from.height; ++y) {
      for (std::size_t x = 0; x < from.width; ++x) {
        for (std::size_t c = 0; c < from.channels; ++c) {
          double sum = 0;
          for (std::ptrdiff_t d = -radius; d <= radius; ++d) {
            const std::ptrdiff_t at = source_of(static_cast<std::ptrdiff_t>(rows ? x : y) + d, size, options.border);
            const double value = at < 0 ? border_pixel[c]
                                 : rows ? from.at(static_cast<std::size_t>(at), y, c)
                                        : from.at(x, static_cast<std::size_t>(at), c);
            sum += weights[static_cast<std::size_t>(d + radius)] * value;
          }
          to.at(x, y, c) = sum;
        }
      }
    }
    return to;
  };
  return along(along(image, true), false);
}

inline double to_light(double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); }
inline double from_light(double v) { return v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055; }

/// What pixels become before they are blurred.
inline void open_pixels(std::vector<double>& values, const PixelLayout& layout, const BlurOptions& options) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_alpha = layout.has_alpha() && i % 4 == 3;
    if (options.linear_light && !is_alpha) {
      values[i] = to_light(values[i] / layout.most()) * layout.most();
    }
    if (layout.has_alpha() && options.premultiply && !is_alpha) {
      values[i] *= values[i / 4 * 4 + 3];
    }
  }
}

/// The exact results for an image of `options.format`.
inline Numbers exact_blur(const Numbers& image, const BlurOptions& options) {
  const PixelLayout layout = layout_of(options.format);
  Numbers opened = image;
  open_pixels(opened.values, layout, options);
  std::vector<double> border(options.border_value.begin(), options.border_value.begin() + layout.channels);
  open_pixels(border, layout, options);
  Numbers blurred = blur_numbers(opened, border, options);
  for (std::size_t i = 0; i < blurred.values.size(); ++i) {
    if (layout.has_alpha() && i % 4 == 3) {
      continue;
    }
    double& v = blurred.values[i];
    if (layout.has_alpha() && options.premultiply) {
      const double alpha = blurred.values[i / 4 * 4 + 3];
      v = alpha > 0 ? v / alpha : 0;
    }
    if (options.linear_light) {
      v = from_light(v / layout.most()) * layout.most();
    }
  }
  return blurred;
}

/// The same of magnitudes: Σ w|x|, what errors of floats are relative to.
inline Numbers exact_magnitudes(Numbers image, const BlurOptions& options) {
  for (double& value : image.values) {
    value = std::abs(value);
  }
  std::vector<double> border;
  for (const float value : options.border_value) {
    border.push_back(std::abs(value));
  }
  return blur_numbers(image, border, options);
}

/// Random pixels; floats from -1 to 1, alphas often 0 or full.
inline std::vector<std::byte> random_pixels(BlurFormat format, std::size_t count, std::uint32_t seed) {
  const PixelLayout layout = layout_of(format);
  std::mt19937 generator(seed);
  std::vector<std::byte> pixels(count * layout.channels * layout.bytes);
  for (std::size_t i = 0; i < count * layout.channels; ++i) {
    auto code = static_cast<std::uint32_t>(generator());
    if (!layout.unorm && layout.bytes == 4) {
      const float value = std::uniform_real_distribution<float>(-1, 1)(generator);
      std::memcpy(&code, &value, sizeof code);
    } else if (!layout.unorm) {
      code = (code & 0x83FFU) | ((code >> 16U) % 5 + 12) << 10U;  // magnitudes from 2^-3 to 4
    } else if (layout.has_alpha() && i % 4 == 3 && code % 3 != 0) {
      code = code % 3 == 1 ? 0 : 0xFFFFU;
    }
    std::memcpy(&pixels[i * layout.bytes], &code, layout.bytes);
  }
  return pixels;
}

}  // namespace crosslane::test
