// Fft: discrete Fourier transforms of many arrays of one size.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/method.hpp"
#include "crosslane/scalar_type.hpp"

namespace crosslane {

/// Which direction has the factor 1/n; NumPy's `norm`.
enum class FftScaling : std::uint8_t {
  backward,  ///< the inverse
  ortho,     ///< both 1/√n
  forward,   ///< the forward transform
};

inline constexpr std::array all_fft_scalings = {FftScaling::backward, FftScaling::ortho, FftScaling::forward};

/// "backward", "ortho" or "forward".
constexpr std::string_view name(FftScaling scaling) {
  constexpr std::array<std::string_view, 3> names = {"backward", "ortho", "forward"};
  return names[static_cast<std::size_t>(scaling)];
}

struct FftOptions {
  std::uint64_t size = 8;             ///< points: up to 2^24 where no prime factor is above 7, others up to 2^23
  ScalarType type = ScalarType::f32;  ///< of real and imaginary parts: f32 or f64
  bool inverse = false;
  /// Of `size` real numbers: the forward transform gives the size / 2 + 1 first results, of which the others are
  /// conjugates; the inverse takes these and gives real numbers. (What the first of them, and the last where the size
  /// is even, have as imaginary parts does not count.) Even sizes go up to twice as many points, with half the work.
  bool real = false;
  /// Real numbers may have any strides, also where their number is even; at twice the work then.
  bool apart = false;
  /// Complex numbers lie in memory as two 16-bit floats each, 4 bytes, and are transformed as f32. On any device: what
  /// is packed are words. Not of real numbers.
  bool halves = false;
  FftScaling scaling = FftScaling::backward;
  Method method = Method::automatic;  ///< `groupshared` or `shuffle`
  /// Asked first where `method` is `automatic`; not kept after `Fft::create`.
  const DecisionSource* decisions = nullptr;
  /// Lanes per wave to ask for; nothing: the device's standard size.
  std::optional<std::uint32_t> wave_size = {};
};

/// Where the complex numbers of transforms lie, each its real part and then its imaginary part. Point p of transform t
/// in row r is element p · stride + t · batch_stride + r · row_stride, counted from `place`.
///
/// Real numbers are counted as elements too. Even numbers of them lie side by side (`stride` is 1), and have even
/// strides and an offset that is a multiple of the size of two of them, unless FftOptions::apart.
struct FftArray {
  BufferPlace place;               ///< its offset is a multiple of the size of an element
  std::uint64_t stride = 1;        ///< elements
  std::uint64_t batch_stride = 0;  ///< 0: transforms follow each other, size · stride
  std::uint64_t row_stride = 0;    ///< 0: rows follow each other, count · batch_stride
};

/// A plan to transform arrays of one size on one device. Make it once, record it as often as needed.
///
/// The forward transform is X[k] = Σ x[n] exp(−2πi nk / size), the inverse has a plus; `scaling` says the factor.
/// Results and inputs are in natural order. The error, as the root of the mean square relative to that of the exact
/// results, is at most 0.6 · ε · log2(size), with ε = 2^-23 for f32 and 2^-52 for f64; for sizes with prime factors
/// above 7 log2(4 · size) takes the place of log2(size), and log2(4) of log2(3). The factor 1/√size is rounded too, and
/// adds ε; so do real numbers. Results in 16-bit floats add 2^-10, and are infinite beyond 65504. A NaN or an infinity
/// reaches all results of its own transform, and of no other.
///
/// Sizes above 4096 (2048 for f64) or with prime factors above 7, and most of real numbers, take several passes and
/// need memory of the plan's own on the device, so recordings of one plan must not run at the same time on two queues;
/// on one queue they may follow each other as closely as they like.
class Fft {
 public:
  /// Errors: `invalid_argument` for a size of 0, types other than f32 and f64, and halves of other than complex f32;
  /// `unsupported` for other sizes, for `wave_intrinsics`, and where the device lacks the type, the wave operations or
  /// the wave size.
  static Expected<Fft> create(Device& device, const FftOptions& options);

  Fft(Fft&&) noexcept;
  Fft& operator=(Fft&&) noexcept;
  ~Fft();

  /// Records `rows` times `count` transforms of `input` into `output`. The two are the same, with the same strides, or
  /// share no memory, as real numbers and their spectrum; elements of the output belong to one transform each. Barriers
  /// are due before and after, as with every dispatch. Errors: `invalid_argument` for arrays outside their buffers or
  /// overlapping ones, and strides of 0 or beyond 2^32; `unsupported` where one transform spans more than a binding of
  /// the device shows, and for real numbers with other strides than FftArray says.
  Expected<void> record(CommandList& list, const FftArray& input, const FftArray& output, std::uint64_t count = 1,
                        std::uint64_t rows = 1);

  /// The method that runs: never `automatic`. `shuffle` goes through groupshared memory too where a transform takes
  /// more than one wave.
  [[nodiscard]] Method method() const;
  /// Why another method runs than the one asked for; empty where it is the one.
  [[nodiscard]] const std::string& method_note() const;
  /// How often a transform goes over its data.
  [[nodiscard]] std::uint32_t passes() const;
  /// The largest error, as the root of the mean square relative to that of the exact results.
  [[nodiscard]] double error_bound() const;

 private:
  struct Plan;
  explicit Fft(std::unique_ptr<Plan> plan);
  std::unique_ptr<Plan> plan_;
};

/// The one-call form for complex numbers on the host: uploads, transforms as many arrays of `options.size` points as
/// there are one after the other, waits. `T` is float or double and takes the place of `options.type`. Errors: those of
/// the plan, and `invalid_argument` where the last array is not whole.
template <typename T>
Expected<std::vector<std::complex<T>>> fft(Device& device, std::span<const std::complex<T>> values,
                                           const FftOptions& options);

}  // namespace crosslane
