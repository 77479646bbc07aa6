// Runs blurs on a device, between guard bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/blur_oracle.hpp"
#include "crosslane/blur.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane::test {

/// How an image lies in its buffer, in bytes.
struct BlurPlace {
  std::size_t offset = 0;
  std::size_t padding = 0;  ///< between rows, beyond the word that they end in
};

struct ImageSize {
  std::size_t width = 1;
  std::size_t height = 1;
};

inline Numbers numbers_of(BlurFormat format, const ImageSize& size, const std::vector<std::byte>& pixels) {
  const PixelLayout layout = layout_of(format);
  Numbers image{size.width, size.height, layout.channels};
  for (std::size_t at = 0; at < pixels.size(); at += layout.bytes) {
    image.values.push_back(read_channel(layout, &pixels[at]));
  }
  return image;
}

/// Blurs rows that follow each other without gaps; in their buffers they lie between guard bytes, which must stay.
inline std::vector<std::byte> run_blur(Device& device, Blur& plan, BlurFormat format, const ImageSize& size,
                                       const std::vector<std::byte>& pixels, const BlurPlace& from = {},
                                       const BlurPlace& to = {}) {
  constexpr std::byte guard{0xA5};
  constexpr std::size_t guards = 32;
  const std::size_t row = blur_row_bytes(format, size.width);
  const auto pitch_of = [&](const BlurPlace& place) { return (row + 3) / 4 * 4 + place.padding; };
  const auto room = [&](const BlurPlace& place) { return place.offset + size.height * pitch_of(place) + guards; };
  std::vector<std::byte> inputs(room(from), guard);
  std::vector<std::byte> outputs(room(to), guard);
  for (std::size_t y = 0; y < size.height; ++y) {
    std::copy_n(&pixels[y * row], row, &inputs[from.offset + y * pitch_of(from)]);
  }
  const auto make = [&](const std::vector<std::byte>& content) {
    auto buffer = must(device.create_buffer({content.size(), MemoryKind::device}));
    must(upload(device, *buffer, content));
    return buffer;
  };
  const auto input = make(inputs);
  const auto output = make(outputs);
  const auto list = must(device.create_command_list());
  must(plan.record(*list, {{input.get(), from.offset}, from.padding == 0 ? 0 : pitch_of(from)},
                   {{output.get(), to.offset}, to.padding == 0 ? 0 : pitch_of(to)}, size.width, size.height));
  must(run(device, *list));
  must(download(device, *output, outputs));
  std::vector<std::byte> results(size.height * row);
  for (std::size_t y = 0; y < size.height; ++y) {
    const auto begin = outputs.begin() + static_cast<std::ptrdiff_t>(to.offset + y * pitch_of(to));
    std::copy_n(begin, row, &results[y * row]);
    std::fill_n(begin, row, guard);
  }
  EXPECT_EQ(std::ranges::count(outputs, guard), static_cast<std::ptrdiff_t>(outputs.size())) << "overwritten";
  return results;
}

/// Fails where results are further off than Blur promises.
inline void expect_blurred(const BlurOptions& options, const ImageSize& size, const std::vector<std::byte>& pixels,
                           const std::vector<std::byte>& results, const std::string& what) {
  const PixelLayout layout = layout_of(options.format);
  const Numbers image = numbers_of(options.format, size, pixels);
  const Numbers found = numbers_of(options.format, size, results);
  const Numbers exact = exact_blur(image, options);
  const Numbers magnitudes = layout.unorm ? exact : exact_magnitudes(image, options);
  for (std::size_t i = 0; i < exact.values.size(); ++i) {
    double allowed = layout.bytes == 1 ? 0.51 : 0.6;
    if (!layout.unorm) {
      allowed = 1e-5 * magnitudes.values[i] + (layout.bytes == 2 ? half_step(exact.values[i]) : 0);
    } else if (layout.has_alpha() && options.premultiply && i % 4 != 3 && exact.values[i / 4 * 4 + 3] < 1e-6) {
      continue;  // the colour of nothing
    }
    const std::size_t pixel = i / layout.channels;
    ASSERT_LE(std::abs(found.values[i] - exact.values[i]), allowed)
        << what << ": channel " << i % layout.channels << " of pixel " << pixel % size.width << ", "
        << pixel / size.width << " is " << found.values[i] << ", not " << exact.values[i];
  }
}

}  // namespace crosslane::test
