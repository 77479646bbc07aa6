// The shape of a blur: weights, passes, and how their work is split over dispatches. Pure arithmetic, no device.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "crosslane/blur.hpp"
#include "kernels/blur/blur_params.hlsli"

namespace crosslane {

/// A row of CROSSLANE_BLUR_FORMATS.
struct BlurShape {
  std::uint32_t channels = 1;
  std::uint32_t bits = 32;  ///< of a channel
  bool unorm = false;       ///< unsigned integers, else floats
  std::uint32_t pixels = 1;
  std::uint32_t step = 1;
  std::uint32_t fused = 1;
  std::uint32_t column_rows = 1;

  /// Bytes of a thread's pixels.
  [[nodiscard]] std::uint32_t thread_bytes() const { return pixels * channels * bits / 8; }
};

BlurShape shape_of(BlurFormat format);

/// As kernels/blur/weights.hlsli has them.
struct BlurWeights {
  std::array<float, CROSSLANE_BLUR_RADIUS + 4> by_distance{};
  std::array<float, 2 * CROSSLANE_BLUR_RADIUS + 4> by_age{};
};

/// For a radius and a sigma that can be.
BlurWeights make_blur_weights(std::uint32_t radius, double sigma);

/// The kernels of one pass, or of two, in order.
std::vector<std::string> blur_kernel_names(BlurFormat format, std::uint32_t radius, Method method);

/// An image without its buffer, bytes.
struct BlurView {
  std::uint64_t offset = 0;
  std::uint64_t pitch = 0;
  std::uint64_t bytes = 0;  ///< from its first pixel to behind the word of its last

  bool operator==(const BlurView&) const = default;
};

BlurView view_of(BlurFormat format, const BlurImage& image, std::uint64_t width, std::uint64_t height);

/// One dispatch of one pass.
struct BlurDispatch {
  std::size_t pass = 0;
  bool after_barrier = false;
  GroupCount groups{};
  kernel_interface::BlurParams params{};  ///< without the border's value, and with images that begin with the binding
};

struct BlurWork {
  std::vector<BlurDispatch> dispatches;
  std::uint64_t between_bytes = 0;  ///< of memory between two passes
};

/// What is blurred, from where to where.
struct BlurJob {
  BlurFormat format = BlurFormat::f32;
  std::uint32_t radius = 4;
  std::uint64_t width = 1;
  std::uint64_t height = 1;
  BlurView input;
  BlurView output;
};

/// Splits a blur of at least one pixel into dispatches. Errors: `unsupported` where an image, or what lies between two
/// passes, is more than a binding shows.
Expected<BlurWork> plan_blur(const DeviceInfo& device, const BlurJob& job);

}  // namespace crosslane
