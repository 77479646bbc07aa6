// Blur: Gaussian blurs of images.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/method.hpp"

namespace crosslane {

/// What a pixel is made of: channels of floats, or of unsigned integers. The names say channels and bits of each.
enum class BlurFormat : std::uint8_t { f32, f32x4, f16, r8, rgb8, rgba8, r16, rgb16, rgba16 };

inline constexpr std::array all_blur_formats = {BlurFormat::f32, BlurFormat::f32x4, BlurFormat::f16,
                                                BlurFormat::r8,  BlurFormat::rgb8,  BlurFormat::rgba8,
                                                BlurFormat::r16, BlurFormat::rgb16, BlurFormat::rgba16};

constexpr std::string_view name(BlurFormat format) {
  constexpr std::array<std::string_view, 9> names = {"f32",   "f32x4", "f16",   "r8",    "rgb8",
                                                     "rgba8", "r16",   "rgb16", "rgba16"};
  return names[static_cast<std::size_t>(format)];
}

/// What counts as lying beyond an image that ends a b c d; the names are SciPy's `mode`, but for clamp, its "nearest".
enum class BlurBorder : std::uint8_t {
  clamp,     ///< d d d d
  mirror,    ///< c b a b: the last pixel once
  reflect,   ///< d c b a: the last pixel twice
  wrap,      ///< a b c d: the image again
  constant,  ///< one value
};

inline constexpr std::array all_blur_borders = {BlurBorder::clamp, BlurBorder::mirror, BlurBorder::reflect,
                                                BlurBorder::wrap, BlurBorder::constant};

constexpr std::string_view name(BlurBorder border) {
  constexpr std::array<std::string_view, 5> names = {"clamp", "mirror", "reflect", "wrap", "constant"};
  return names[static_cast<std::size_t>(border)];
}

struct BlurOptions {
  BlurFormat format = BlurFormat::f32;
  std::uint32_t radius = 4;  ///< pixels that count on each side, 1 to 32
  /// The Gaussian's standard deviation, pixels; nothing: that of default_blur_sigma.
  std::optional<double> sigma = {};
  BlurBorder border = BlurBorder::clamp;
  /// Beyond a constant border, a number for each channel; for integers between 0 and their largest, rounded.
  std::array<float, 4> border_value = {};
  /// Of rgba8 and rgba16: colours count as much as their alpha does, as they should where alpha says how much of a
  /// pixel is covered. Else all four channels are blurred alike, as those of f32x4 always are.
  bool premultiply = true;
  /// Of integers: colours are sRGB, and light is blurred in place of their numbers. Alpha is not touched.
  bool linear_light = false;
  Method method = Method::automatic;  ///< `groupshared` or `shuffle`
  /// Asked first where `method` is `automatic`; not kept after `Blur::create`.
  const DecisionSource* decisions = nullptr;
  /// Lanes per wave to ask for; nothing: the device's standard size.
  std::optional<std::uint32_t> wave_size = {};
};

/// 0.3 · (radius − 1) + 0.8, a rule that is in wide use: 1.7 pixels for a radius of 4.
double default_blur_sigma(std::uint32_t radius);

/// Where the rows of an image lie. Pixels of a row lie side by side. The word of 4 bytes that the last pixel ends in is
/// in the buffer as a whole.
struct BlurImage {
  BufferPlace place;            ///< its offset is a multiple of 4
  std::uint64_t row_pitch = 0;  ///< bytes from row to row, a multiple of 4; 0: the bytes of a row, rounded up to that
};

/// Bytes of a row of `width` pixels.
std::uint64_t blur_row_bytes(BlurFormat format, std::uint64_t width);

/// A plan to blur images of one format on one device. Make it once, record it as often as needed.
///
/// Each pixel becomes the sum of those up to `radius` away in both directions, weighted by exp(−d²/2σ²) along x and y;
/// weights are scaled so that they sum up to 1. Results are within 0.51 of the exact ones for 8 bits, 0.6 for 16 bits,
/// 10^-5 · Σ w|x| for f32, and one step of f16 more for that. Where alpha is 0, colours become 0. A NaN or an infinity
/// reaches what is up to `radius` away in both directions, and no more.
///
/// Large radii take two passes and memory of the plan's own on the device, so recordings of one plan must not run at
/// the same time on two queues; on one queue they may follow each other as closely as they like.
class Blur {
 public:
  /// Errors: `invalid_argument` for a radius, a sigma or a border value that cannot be, and for `linear_light` of
  /// floats; `unsupported` for `wave_intrinsics`, and where the device lacks the wave operations or the wave size.
  static Expected<Blur> create(Device& device, const BlurOptions& options);

  Blur(Blur&&) noexcept;
  Blur& operator=(Blur&&) noexcept;
  ~Blur();

  /// Records a blur of `width` × `height` pixels of `input` into `output`, which share no memory. What lies between the
  /// rows of the output stays as it is. Barriers are due before and after, as with every dispatch. Errors:
  /// `invalid_argument` for images outside their buffers, overlapping ones and sizes of 0; `unsupported` for images of
  /// more than a binding of the device shows, or of 2^28 pixels or more in a row or column.
  Expected<void> record(CommandList& list, const BlurImage& input, const BlurImage& output, std::uint64_t width,
                        std::uint64_t height);

  /// The method that runs: never `automatic`.
  [[nodiscard]] Method method() const;
  /// Why another method runs than the one asked for; empty where it is the one.
  [[nodiscard]] const std::string& method_note() const;
  /// How often a blur goes over its image: once or twice.
  [[nodiscard]] std::uint32_t passes() const;
  [[nodiscard]] double sigma() const;

 private:
  struct Plan;
  explicit Blur(std::unique_ptr<Plan> plan);
  std::unique_ptr<Plan> plan_;
};

/// The one-call form for an image on the host, rows of `width` pixels without gaps: uploads, blurs, waits. Errors:
/// those of the plan, and `invalid_argument` where `pixels` are no whole rows.
Expected<std::vector<std::byte>> blur(Device& device, std::span<const std::byte> pixels, std::uint64_t width,
                                      const BlurOptions& options);

}  // namespace crosslane
